/** Calls a function while a folder is the working directory of this process. */
export async function inFolder<Result>(folder: string, run: () => Promise<Result>): Promise<Result> {
  const previousFolder = process.cwd();
  process.chdir(folder);
  try {
    return await run();
  } finally {
    process.chdir(previousFolder);
  }
}
