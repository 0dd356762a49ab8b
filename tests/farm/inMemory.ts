import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const GIB = 1024 ** 3
/**
 * The folder where databases of tests lie: in memory where there is room, as a copy and a commit
 * wait for a disk. Answers a path that exists.
 */
export const inMemory = (): string => {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize > 4 * GIB ? '/dev/shm' : tmpdir()
  } catch {
    // Not every system has such a place.
    return tmpdir()
  }
}
