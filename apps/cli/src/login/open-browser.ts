import { spawn } from "node:child_process";

/** Whether a browser opened here is visible to the person who typed. */
export function hasBrowser(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): boolean {
  if (environment.SSH_CONNECTION || environment.SSH_TTY) return false;
  if (platform === "darwin" || platform === "win32") return true;
  return Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY);
}

/** False if there is no program for it. Never through a shell: the address is somebody else's text. */
export function openBrowser(address: string, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const [program, ...words] = openerOf(process.platform);
  const child = spawn(program, [...words, address], { env: environment, stdio: "ignore", detached: true });
  child.unref();
  return new Promise((resolve) => {
    child.once("spawn", () => resolve(true));
    child.once("error", () => resolve(false));
  });
}

function openerOf(platform: NodeJS.Platform): [string, ...string[]] {
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return ["xdg-open"];
}
