import { globSync, readFileSync } from "node:fs";
import { findExpressions } from "./regex/find-expressions.ts";
import { findSlowExpressions } from "./regex/find-slow-expressions.ts";
import { regexExceptions } from "./regex/regex-exceptions.ts";

/** No regular expression of the product takes more than linear time: on a blocked event loop no time limit fires. */
const files = globSync("{apps,packages}/*/src/**/*.ts", { exclude: ["**/*.test.ts", "**/node_modules/**"] });
const expressions = files.flatMap((file) => findExpressions(file, readFileSync(file, "utf8")));
const problems = await findSlowExpressions(expressions, regexExceptions);
for (const problem of problems) console.error(problem);
console.log(`${expressions.length} regular expressions checked, ${problems.length} problems`);
if (problems.length > 0) process.exitCode = 1;
