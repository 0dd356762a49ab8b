import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/**
 * The holders of a data folder: the database process, and the server that started it. `began` tells a
 * process from a later one with the same number.
 */
type Holder = { pid: number; pid_began: string; parent: number; parent_began: string }

/** The folder is in use; `pid` is the server's process. */
export class FolderInUse extends Error {
  constructor(
    readonly pid: number,
    folder: string,
  ) {
    super(`the data folder ${folder} is in use by process ${pid}`)
    this.name = 'FolderInUse'
  }
}

/**
 * When a process began, in the kernel's own words; '' where the system does not say, 'dead' for one
 * that only waits to be buried.
 */
const began = (pid: number): string => {
  try {
    // The name may hold spaces and brackets: the fields are counted after its last bracket.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? 'dead' : (fields[19] ?? '')
  } catch {
    return ''
  }
}
const alive = (pid: number, since: string): boolean => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return since === '' || began(pid) === since
}
const read = (file: string): Holder | undefined => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder
  } catch {
    return undefined
  }
}

/**
 * Takes the folder for this process, started by `process.ppid`; the lock lies beside the folder, so
 * that a copy of the folder is not locked. PGlite takes no lock of its own: two processes on one
 * folder lose each other's rows. Throws FolderInUse. Answers the release.
 */
export const lockFolder = async (folder: string): Promise<() => void> => {
  const file = `${folder}.lock`
  const mine: Holder = {
    pid: process.pid,
    pid_began: began(process.pid),
    parent: process.ppid,
    parent_began: began(process.ppid),
  }
  const own = `${file}.${process.pid}`
  writeFileSync(own, JSON.stringify(mine))
  try {
    for (let attempt = 0; ; attempt++) {
      try {
        // A link appears whole or not at all, and only if there is none: O_EXCL with the content
        // already in place.
        linkSync(own, file)
        break
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 20) throw error
      }
      const holder = read(file)
      if (holder && alive(holder.pid, holder.pid_began)) {
        if (holder.parent === process.ppid || alive(holder.parent, holder.parent_began))
          throw new FolderInUse(holder.parent, folder)
        // Its server is gone and it did not notice: it hangs, and may not touch the folder again.
        process.kill(holder.pid, 'SIGKILL')
        await pause(50)
        continue
      }
      const stale = `${file}.stale.${process.pid}`
      try {
        renameSync(file, stale)
      } catch {
        continue
      }
      // Between reading and renaming somebody else may have taken it: then it is theirs.
      const moved = read(stale)
      if (moved && alive(moved.pid, moved.pid_began)) {
        try {
          linkSync(stale, file)
        } catch {
          /* they are already replaced, and will find out below */
        }
      }
      rmSync(stale, { force: true })
    }
    await pause(20)
    const now = read(file)
    if (now?.pid !== process.pid) throw new FolderInUse(now?.parent ?? 0, folder)
  } finally {
    rmSync(own, { force: true })
  }
  return () => {
    if (read(file)?.pid === process.pid) rmSync(file, { force: true })
  }
}
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
