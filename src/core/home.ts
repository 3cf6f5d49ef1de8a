/** Returns a path with a leading `~` or `~/` replaced by the home folder, which a shell does only at the start of a
 * word: not in `--db=~/x.db`, in a quoted MEMTOOL_DB, or in the configuration of a client. */
export function expandHome(file: string): string {
  // most calls name no such path and never load the module
  return file === '~' || file.startsWith('~/') ? process.getBuiltinModule('node:os').homedir() + file.slice(1) : file;
}
