import { handbookPath } from "./handbook.ts";

/** A question, and what an agent does about it: by searching, or by knowing the one folder to look into. */
export interface Need {
  question: string;
  workspace: string;
  query: string;
  folder: string;
  answer: RegExp;
}

export const needs: Need[] = [
  {
    question: "what does the lease in Rotterdam cost?",
    workspace: "marketing",
    query: "Rotterdam lease",
    folder: "/board",
    answer: /8,400 euros a month/,
  },
  {
    question: "by how much do salaries rise?",
    workspace: "marketing",
    query: "salaries rise percent",
    folder: "/board",
    answer: /3\.5 percent/,
  },
  {
    question: "what did the new packaging do?",
    workspace: "marketing",
    query: "breakage ceramics paulownia",
    folder: "/press",
    answer: /2\.1 to 1\.4 percent/,
  },
  {
    question: "why do labels come out blank?",
    workspace: "engineering",
    query: "labels blank driver paper size",
    folder: "/incident-reports",
    answer: /reset their paper size/,
  },
  {
    question: "how long did the last rehearsal of the restore take?",
    workspace: "engineering",
    query: "restore order database rehearsal minutes",
    folder: "/runbooks",
    answer: /47 minutes/,
  },
  {
    question: "how long is a basket reserved?",
    workspace: "engineering",
    query: "basket reserves goods minutes",
    folder: "/design",
    answer: /twenty minutes/,
  },
  {
    question: "what did Samuel approve for the cold room?",
    workspace: "engineering",
    query: "cold room second sensor Samuel approved",
    folder: "/minutes",
    answer: /380 euros/,
  },
  {
    question: "how do we travel to suppliers?",
    workspace: "engineering",
    query: "travel to suppliers",
    folder: handbookPath.slice(0, handbookPath.lastIndexOf("/")),
    answer: /night train/,
  },
];
