/** What svc is built for. `runtime` is Bun's name for it. */
export interface Target {
  name: string;
  runtime: string;
  os: "linux" | "darwin" | "windows";
  arch: "x64" | "arm64";
  libc?: "glibc" | "musl";
}

export const targets: readonly Target[] = [
  { name: "svc-linux-x64", runtime: "linux-x64", os: "linux", arch: "x64", libc: "glibc" },
  { name: "svc-linux-arm64", runtime: "linux-aarch64", os: "linux", arch: "arm64", libc: "glibc" },
  { name: "svc-linux-x64-musl", runtime: "linux-x64-musl", os: "linux", arch: "x64", libc: "musl" },
  { name: "svc-linux-arm64-musl", runtime: "linux-aarch64-musl", os: "linux", arch: "arm64", libc: "musl" },
  { name: "svc-darwin-x64", runtime: "darwin-x64", os: "darwin", arch: "x64" },
  { name: "svc-darwin-arm64", runtime: "darwin-aarch64", os: "darwin", arch: "arm64" },
  { name: "svc-windows-x64.exe", runtime: "windows-x64", os: "windows", arch: "x64" },
];
