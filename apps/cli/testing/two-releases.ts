import { copyFileSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { CompiledSvc } from "./compiled-svc.ts";
import { ReleaseServer } from "./release-server.ts";

/** An svc 1.0.0 that is installed, and a release of 1.1.0. */
export class TwoReleases {
  readonly releases: ReleaseServer;
  readonly svc: CompiledSvc;
  readonly newer: CompiledSvc;
  /** A folder as `npm run build:cli -- --all` makes it, for this machine alone. */
  readonly artifacts: string;
  readonly environment: Record<string, string>;

  private constructor(releases: ReleaseServer, svc: CompiledSvc, newer: CompiledSvc) {
    this.releases = releases;
    this.svc = svc;
    this.newer = newer;
    this.environment = { SSL_CERT_FILE: releases.authority };
    this.artifacts = releases.at("built");
    mkdirSync(this.artifacts);
    copyFileSync(newer.path, join(this.artifacts, `svc-linux-${process.arch}`));
    copyFileSync(svc.path, releases.at("svc-1.0.0"));
    releases.publish("1.1.0", this.artifacts);
  }

  static async make(): Promise<TwoReleases> {
    const releases = await ReleaseServer.start();
    const build = (version: string) => CompiledSvc.build({ ...releases.constants, version });
    return new TwoReleases(releases, await build("1.0.0"), await build("1.1.0"));
  }

  async remove(): Promise<void> {
    await Promise.all([this.releases.stop(), this.svc.remove(), this.newer.remove()]);
  }

  /** 1.0.0 alone in its folder, without stored state. */
  reset(): void {
    this.releases.instead = undefined;
    rmSync(this.svc.home, { recursive: true, force: true });
    rmSync(dirname(this.svc.path), { recursive: true });
    mkdirSync(dirname(this.svc.path));
    linkSync(this.releases.at("svc-1.0.0"), this.svc.path);
  }

  /** As after an update: 1.1.0, with 1.0.0 as the previous version. */
  resetUpdated(): void {
    this.reset();
    const folder = dirname(this.svc.path);
    renameSync(this.svc.path, join(folder, "svc.prev"));
    copyFileSync(this.newer.path, this.svc.path);
  }

  run(...argv: string[]) {
    return this.svc.run(argv, { environment: this.environment });
  }

  async version(): Promise<string> {
    return (await this.svc.run(["--version"])).out;
  }

  installed(): string[] {
    return readdirSync(dirname(this.svc.path)).sort();
  }
}
