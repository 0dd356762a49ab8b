import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { and, asc, gt, inArray, notLike, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { newTextKey, type KeyFile, type KeyRing } from './keyFile.server.ts'
import { secret_key } from './secret.table.ts'
import { alphabets, checkSign, type Alphabet } from './secretCode.ts'

const NONCE = 12
const TAG = 16
/** Hides and finds codes, all under the keys as they stood when it was made. */
export type Sealer = {
  /** What a code is found by: without the key nobody can try codes on a copy of the database. */
  hash: (code: string) => string
  /** A code's text encrypted, bound to its hash: it opens in no other row. */
  seal: (code: string, hash: string) => string
  open: (sealed: string, hash: string) => string
}

const lacking = (file: string, ids: readonly string[]) =>
  ruled(
    'code_keys_missing',
    [
      '密钥文件 {file} 缺少本库兑换码所用的密钥（{ids}），请从备份恢复该文件，或把 MALLET_CODE_KEYS 指向它',
      'The file of code keys {file} lacks the keys that this database’s codes are under ({ids}): put it back from a backup, or name it in MALLET_CODE_KEYS',
    ],
    { file, ids: ids.join(' ') },
  )
const sealedUnder = (sealed: string): string => sealed.slice(0, sealed.indexOf('.'))
const sealerUnder = (ring: KeyRing, file: string): Sealer => ({
  hash: code => createHmac('sha256', ring.hash).update(code).digest('base64url'),
  seal: (code, hash) => {
    const nonce = randomBytes(NONCE)
    const cipher = createCipheriv('aes-256-gcm', ring.texts.get(ring.text_id)!, nonce)
    cipher.setAAD(Buffer.from(hash))
    const parts = [nonce, cipher.update(code, 'utf8'), cipher.final(), cipher.getAuthTag()]
    return `${ring.text_id}.${Buffer.concat(parts).toString('base64url')}`
  },
  open: (sealed, hash) => {
    const id = sealedUnder(sealed)
    const key = ring.texts.get(id)
    if (!key) throw lacking(file, [id])
    const bytes = Buffer.from(sealed.slice(id.length + 1), 'base64url')
    const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE))
    cipher.setAAD(Buffer.from(hash))
    cipher.setAuthTag(bytes.subarray(-TAG))
    try {
      return `${cipher.update(bytes.subarray(NONCE, -TAG), undefined, 'utf8')}${cipher.final('utf8')}`
    } catch {
      throw ruled('code_tampered', [
        '该码的密文与记录不符，可能被改动过，请作废并联系管理员',
        'The code’s text does not fit its row, it may have been changed: void it and tell an administrator',
      ])
    }
  },
})

const namedIn = (db: Db) => db.select({ key_id: secret_key.key_id }).from(secret_key)
/** The first codes of a database say which keys they are under. */
const name = (db: Db, ring: KeyRing) =>
  db
    .insert(secret_key)
    .values([
      { key_id: ring.hash_id, kind: 'hash', created_at: unixNow() },
      { key_id: ring.text_id, kind: 'text', created_at: unixNow() },
    ])
    .onConflictDoNothing()
/**
 * What hides and finds codes in this database. At the first use it makes the file of keys; refuses
 * where the database's codes are under keys that the file lacks.
 */
export const sealerOf = async (keys: KeyFile, db: Db): Promise<Sealer> => {
  let named = await namedIn(db)
  const found = keys.read()
  if (!found && named.length > 0)
    throw lacking(
      keys.file,
      named.map(one => one.key_id),
    )
  const ring = found ?? keys.make()
  const has = (id: string) => id === ring.hash_id || ring.texts.has(id)
  if (!named.some(one => one.key_id === ring.text_id)) {
    if (named.every(one => has(one.key_id))) await name(db, ring)
    // Another process may have been the first, with a file of its own.
    named = await namedIn(db)
  }
  const lost = named.filter(one => !has(one.key_id)).map(one => one.key_id)
  if (lost.length > 0) throw lacking(keys.file, lost)
  return sealerUnder(ring, keys.file)
}

type Form = { alphabet: Alphabet; length: number; prefix: string }
/**
 * So many codes of a form, from the system's generator. A byte that would favour some signs is
 * thrown away, so that each is as likely as any other.
 */
export const drawCodes = ({ alphabet, length, prefix }: Form, n: number): string[] => {
  const signs = alphabets[alphabet]
  const fair = Math.floor(256 / signs.length) * signs.length
  const random = length - prefix.length - 1
  let bytes = Buffer.alloc(0)
  let at = 0
  const sign = (): string => {
    for (;;) {
      if (at === bytes.length) [bytes, at] = [randomBytes(Math.min(65_536, n * random * 2 + 16)), 0]
      const byte = bytes[at++]!
      if (byte < fair) return signs[byte % signs.length]!
    }
  }
  return Array.from({ length: n }, () => {
    let body = prefix
    for (let left = random; left > 0; left--) body += sign()
    return body + checkSign(body, alphabet)
  })
}

/** Where codes lie: each row's hash and its sealed text. */
export type SealedIn = { table: PgTable; id: PgColumn; hash: PgColumn; sealed: PgColumn }
const WALK_ROWS = 1000
type Rotated = { key_id: string; rows: number; dropped: string[] }
/**
 * Gives all codes a new key and encrypts each under it, some rows a transaction. Broken off, it goes
 * on where it was when it is called again with `anew` false. Servers that run read the file anew by
 * themselves; the key before stays in it until the next rotation, for what they were just writing.
 */
export const rotateKeys = async (
  { db, transaction }: { db: Db; transaction: <T>(run: (tx: Db) => Promise<T>) => Promise<T> },
  keys: KeyFile,
  places: readonly SealedIn[],
  { anew, tell = () => {} }: { anew: boolean; tell?: (rows: number) => void },
): Promise<Rotated> => {
  await sealerOf(keys, db)
  const before = keys.read()!
  if (anew) keys.replace(newTextKey(before))
  const sealer = await sealerOf(keys, db)
  const ring = keys.read()!
  const isOld = ({ sealed }: SealedIn) => notLike(sealed, `${ring.text_id}.%`)
  let rows = 0
  const some = (place: SealedIn, after: number) =>
    transaction(async tx => {
      const found = (await tx
        .select({ id: place.id, hash: place.hash, sealed: place.sealed })
        .from(place.table)
        .where(and(gt(place.id, after), isOld(place)))
        .orderBy(asc(place.id))
        .limit(WALK_ROWS)
        .for('update')) as { id: number; hash: string; sealed: string }[]
      if (found.length === 0) return undefined
      const again = found.map(one => sealer.seal(sealer.open(one.sealed, one.hash), one.hash))
      await tx.execute(
        sql`update ${place.table} set ${sql.identifier(place.sealed.name)} = given.sealed from unnest(${sql.param(found.map(one => one.id))}::int[], ${sql.param(again)}::text[]) as given(id, sealed) where ${place.id} = given.id`,
      )
      rows += found.length
      return found.at(-1)!.id
    })
  for (const place of places)
    for (let at = await some(place, 0); at !== undefined; at = await some(place, at)) tell(rows)
  // A key before the last one is dropped once no row is under it.
  const kept = [ring.text_id, before.text_id]
  const dropped = anew ? [...ring.texts.keys()].filter(id => !kept.includes(id)) : []
  if (dropped.length > 0) {
    await db.delete(secret_key).where(inArray(secret_key.key_id, dropped))
    keys.replace({ ...ring, texts: new Map([...ring.texts].filter(([id]) => kept.includes(id))) })
  }
  return { key_id: ring.text_id, rows, dropped }
}
