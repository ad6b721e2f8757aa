import { benchSize } from "../../bench/bench-size.ts";
import { isWanted, type KnownItem, readKnownItems } from "./known-item.ts";
import { companyFolders, pathsOf, realFolder } from "./searched-files.ts";

/** Both frozen lists; in smoke, those whose item is searched. */
export function knownItems(): KnownItem[] {
  const items = [...readKnownItems("drawn"), ...readKnownItems("written")];
  const paths = [...companyFolders(), realFolder()].flatMap(pathsOf);
  const isSearched = ({ wanted }: KnownItem) =>
    wanted.every((pattern) => paths.some((path) => isWanted([pattern], path)));
  return benchSize(requireFiles, (some: KnownItem[]) => some.filter(isSearched))(items);

  function requireFiles(some: KnownItem[]): KnownItem[] {
    const packages = ({ wanted }: KnownItem) => wanted.some((path) => path.startsWith("library/"));
    const gone = some.filter((item) => packages(item) && !isSearched(item));
    if (gone.length === 0) return some;
    throw new Error(
      `Packages no longer have what these queries want, so replace the lines: ${gone.map(({ query }) => query).join(", ")}`,
    );
  }
}
