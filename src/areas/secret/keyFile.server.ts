import { createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { ruled } from '#src/server/call/refuse.ts'

const KEY_BYTES = 32
/** The keys of codes: one for the hash they are found by, and those their text is encrypted under. */
export type KeyRing = {
  hash_id: string
  hash: Buffer
  /** What is encrypted now is under this one. */ text_id: string
  texts: ReadonlyMap<string, Buffer>
}
export type KeyFile = {
  file: string
  /** The keys as they stand; another process may have added one since. Undefined without a file. */
  read: () => KeyRing | undefined
  /** Makes the file unless there is one, mode 0600; of two processes at once one makes it. */
  make: () => KeyRing
  /** Puts other keys in its place, all at once. */
  replace: (ring: KeyRing) => void
}

/** A key's name is a fingerprint, so that a key of another file is never taken for it. */
const idOf = (key: Buffer): string =>
  createHash('sha256').update('mallet code key').update(key).digest('hex').slice(0, 12)

const unreadable = (file: string) =>
  ruled(
    'code_keys_unreadable',
    [
      '兑换码密钥文件 {file} 无法读取或已损坏，请从备份恢复后重试',
      'The file of code keys {file} can’t be read: put it back from a backup',
    ],
    { file },
  )
const parsed = (file: string, text: string): KeyRing => {
  try {
    const { hash, text: now, texts } = JSON.parse(text) as Record<string, unknown>
    const keys = (texts as string[]).map(one => Buffer.from(one, 'base64'))
    const [key, current] = [
      Buffer.from(hash as string, 'base64'),
      Buffer.from(now as string, 'base64'),
    ]
    if ([key, current, ...keys].some(one => one.length !== KEY_BYTES)) throw unreadable(file)
    return {
      hash_id: idOf(key),
      hash: key,
      text_id: idOf(current),
      texts: new Map([current, ...keys].map(one => [idOf(one), one])),
    }
  } catch {
    // What JSON says of a file shows a piece of it.
    throw unreadable(file)
  }
}
const written = ({ hash, text_id, texts }: KeyRing): string =>
  `${JSON.stringify(
    {
      hash: hash.toString('base64'),
      text: texts.get(text_id)!.toString('base64'),
      texts: [...texts].flatMap(([id, key]) => (id === text_id ? [] : [key.toString('base64')])),
    },
    null,
    2,
  )}\n`
/** Writes a file beside, whole and on the disk before it is called by its name. */
const writeBeside = (file: string, text: string): string => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const beside = `${file}.${randomBytes(6).toString('hex')}`
  const handle = openSync(beside, 'wx', 0o600)
  try {
    writeSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  return beside
}
export const newTextKey = (ring: KeyRing): KeyRing => {
  const key = randomBytes(KEY_BYTES)
  return { ...ring, text_id: idOf(key), texts: new Map([...ring.texts, [idOf(key), key]]) }
}
const newRing = (): KeyRing => {
  const hash = randomBytes(KEY_BYTES)
  return newTextKey({ hash_id: idOf(hash), hash, text_id: '', texts: new Map() })
}

/** Where the keys lie unless an installation says otherwise. */
export const codeKeysIn = (folder: string): string => join(folder, 'code-keys.json')

/** The file of an installation's code keys. Reads it anew only when it changed. */
export const openKeyFile = (file: string): KeyFile => {
  let seen = ''
  let ring: KeyRing | undefined
  const read = (): KeyRing | undefined => {
    const stat = statSync(file, { throwIfNoEntry: false })
    const mark = stat ? `${stat.ino} ${stat.size} ${stat.mtimeMs}` : ''
    if (mark === seen) return ring
    ring = stat ? parsed(file, readFileSync(file, 'utf8')) : undefined
    seen = mark
    return ring
  }
  return {
    file,
    read,
    make: () => {
      const beside = writeBeside(file, written(newRing()))
      try {
        linkSync(beside, file)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      } finally {
        rmSync(beside, { force: true })
      }
      return read()!
    },
    replace: next => renameSync(writeBeside(file, written(next)), file),
  }
}
