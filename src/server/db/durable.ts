import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

type Options = Parameters<NodeFS['init']>[1]

/**
 * A folder on disk whose files are really synced: PGlite 0.5.14 gives its NodeFS no fsync at all,
 * so that a power cut loses what was acknowledged.
 */
export class DurableFS extends NodeFS {
  /** How often the disk was asked so far. */
  fsyncs = 0

  override async init(pg: PGlite, options: Options) {
    const { emscriptenOpts } = await super.init(pg, options)
    // Emscripten's types are not published.
    const hook = (module: any) => {
      module.FS.filesystems.NODEFS.stream_ops.fsync = (stream: { nfd: number }) => {
        fsyncSync(stream.nfd)
        this.fsyncs++
        return 0
      }
    }
    return {
      emscriptenOpts: {
        ...emscriptenOpts,
        preRun: [...((emscriptenOpts.preRun ?? []) as never[]), hook as never],
      },
    }
  }
}

/** PGlite's own start parameters without `-F`, which would turn syncing off. */
export const durableParams = (defaults: readonly string[]): string[] => [
  ...defaults.filter(each => each !== '-F'),
  '-c',
  'fsync=on',
  '-c',
  'wal_sync_method=fsync',
  '-c',
  'full_page_writes=on',
  '-c',
  'wal_level=minimal',
  '-c',
  'max_wal_senders=0',
]

/** Syncs every file and folder below, for a tree that was written without. */
export const syncTree = (folder: string): void => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) syncTree(path)
    else if (entry.isFile()) syncPath(path)
  }
  syncPath(folder)
}
export const syncPath = (path: string): void => {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
