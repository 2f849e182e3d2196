/**
 * Files that other programs obey: hooks, CI files, editor and package manager settings. A replacement over a folder
 * leaves them out, because nobody was asked about them by name; named as the path of a call they are claimed, and
 * policy decides. Nearly all of them are hidden or lie in hidden folders.
 */
const OBEYED =
  /^(?:jenkinsfile(?:\..*)?|codeowners|lefthook(?:-local)?\.ya?ml|azure-pipelines(?:\..*)?\.yml|appveyor\.yml|bitbucket-pipelines\.yml|cloudbuild\.yaml|buildspec\.yml|mise\.toml|bunfig\.toml|pnpm-workspace\.yaml|pip\.conf|gradle-wrapper\.properties|.*\.code-workspace)$/;

/** `path` with `/`, relative to the project where it lies in it. */
export function isObeyedPath(path: string): boolean {
  const names = path.toLowerCase().split('/');
  return (
    names.some((name) => name.startsWith('.') && name !== '.' && name !== '..') ||
    OBEYED.test(names.at(-1) ?? '')
  );
}
