// Old enough for any Node to run. On Linux `npm ci` brings Node 24 and puts it first on the path of `npm run`.
const [major] = process.versions.node.split(".").map(Number);
const installsNode = process.platform === "linux" && process.env.npm_lifecycle_event === "preinstall";
if (major < 24 && !installsNode) {
  console.error(
    `svc needs Node.js 24, and this is ${process.versions.node}. Run "nvm install" or "npm ci", then try again.`,
  );
  process.exit(1);
}
