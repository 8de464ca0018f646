/** For each list of folders: name (a regular expression) → contents. */
export const folders: Readonly<Record<string, Readonly<Record<string, string>>>>
