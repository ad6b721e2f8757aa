/** `node tools/<name>.ts <command>`: prints the result of the command. */
export async function runServerTool(
  name: string,
  commands: Readonly<Record<string, () => Promise<string>>>,
): Promise<void> {
  const command = commands[process.argv[2] ?? ""];
  if (!command) {
    console.error(`usage: node tools/${name}.ts ${Object.keys(commands).join(" | ")}`);
    process.exit(2);
  }
  try {
    console.log(await command());
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
