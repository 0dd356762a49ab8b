import { BlockList, isIP } from 'node:net'
import { and, eq, gte, lt, sql } from 'drizzle-orm'
import { plainIp } from '#src/areas/log/logs.ts'
import { sealerOf, type Sealer } from '#src/areas/secret/secrets.server.ts'
import type { Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Core } from '#src/server/call/pipeline.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import { isSameSecret } from '#src/server/sessions/sameSecret.ts'
import type { Keyed } from './keys.server.ts'
import { partner_nonce } from './partner.table.ts'
import { CALLS_A_MINUTE, NONCE_KEPT_S, signatureOf, SKEW_S, type Signed } from './signing.server.ts'

/** A kind of partner: what its nonces are kept under, and the row that a key opens to (`hasKey`). */
export type Kind<Row extends Keyed> = {
  name: string
  byKey: (db: Db, key: string, now: number) => Promise<Row | undefined>
}
export type Partner<Row extends Keyed> = {
  row: Row
  /** The secret of the key that it signed with. */ secret: string
  sealer: Sealer
  nonce: string
}
export type Call = Pick<Signed, 'method' | 'path' | 'body'> & {
  headers: Readonly<Record<string, string | string[] | undefined>>
  ip: string
  now: number
}
const no = (status: number, rule: string, text: Text, values = {}) =>
  new Refusal(status, text, values, { rule })
/** An unknown key and a wrong signature are not told apart: neither says which keys there are. */
const unsigned = () =>
  no(401, 'bad_signature', [
    '签名不正确，或密钥编号不存在、已失效：请核对签名原文与密钥',
    'The signature is wrong, or the key is unknown or has ended: compare what you sign, and the secret',
  ])
type Headers = { key: string; timestamp: string; nonce: string; signature: string }
const forms: Readonly<Record<keyof Headers, RegExp>> = {
  key: /^[A-Za-z0-9]{4,32}$/,
  timestamp: /^\d{10}$/,
  nonce: /^[A-Za-z0-9_-]{16,64}$/,
  signature: /^[0-9a-f]{64}$/,
}
const headersOf = (headers: Call['headers']): Headers => {
  const entries = Object.entries(forms).map(([name, form]) => {
    const value = headers[`x-mallet-${name}`]
    if (typeof value !== 'string' || !form.test(value))
      throw no(
        401,
        'bad_headers',
        [
          '缺少请求头 X-Mallet-{name}，或格式不正确',
          'The header X-Mallet-{name} is missing, or has another form',
        ],
        { name: name[0]!.toUpperCase() + name.slice(1) },
      )
    return [name, value] as const
  })
  return Object.fromEntries(entries) as Headers
}
/** Whose key it is, and the secret of it; undefined for a strange one. */
const found = async <Row extends Keyed>(
  { database, install }: Core,
  kind: Kind<Row>,
  { key, now }: { key: string; now: number },
) => {
  const row = await kind.byKey(database.db, key, now)
  const sealed = row?.app_key === key ? row.secret_enc : row?.old_secret_enc
  if (!row || !sealed) return undefined
  const sealer = await sealerOf(install.codeKeys, database.db)
  return { row, sealer, secret: sealer.open(sealed, key) }
}
/** Whether an address is one of those, or in one of those networks. */
export const isAllowed = (ip: string, places: readonly string[]): boolean => {
  const list = new BlockList()
  const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
  for (const place of places) {
    const [address = '', bits] = place.split('/')
    const family = familyOf(address)
    if (isIP(address))
      list.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  const plain = plainIp(ip)
  return isIP(plain) > 0 && list.check(plain, familyOf(plain))
}
/** Takes the number of a signature, in the database: of two servers one has it. */
const takeNonce = async ({ database }: Core, signer: string, nonce: string, now: number) => {
  const t = partner_nonce
  const taken = await database.db
    .insert(t)
    .values({ signer, nonce, at: now })
    .onConflictDoNothing()
    .returning()
  if (taken.length === 0)
    throw no(401, 'replayed', [
      '该请求已处理过：每次请求须使用新的 X-Mallet-Nonce 重新签名',
      'This very request was heard before: sign each with a new X-Mallet-Nonce',
    ])
  const calls = await database.db.$count(
    t,
    and(eq(t.signer, signer), gte(t.at, sql`${now}::bigint - 60`)),
  )
  if (calls > CALLS_A_MINUTE)
    throw no(
      429,
      'too_many',
      ['每分钟最多 {n} 次请求，请稍后重试', 'At most {n} calls a minute: try again shortly'],
      { n: CALLS_A_MINUTE },
    )
}

/** Numbers that are too old to be asked with again are forgotten. */
export const forgetNonces = (db: Db, now: number) =>
  db.delete(partner_nonce).where(lt(partner_nonce.at, now - NONCE_KEPT_S))

/**
 * Answers the partner that calls: its signature, clock, address and nonce are right. Throws 401, 403 or 429 with the rule that refuses; a stranger learns nothing of our partners.
 */
export const partnerOf = async <Row extends Keyed>(
  core: Core,
  kind: Kind<Row>,
  call: Call,
): Promise<Partner<Row>> => {
  const { key, timestamp, nonce, signature } = headersOf(call.headers)
  if (Math.abs(Number(timestamp) - call.now) > SKEW_S)
    throw no(
      401,
      'clock_skew',
      [
        '时间戳与服务器相差超过 {s} 秒（服务器时间 {now}），请校准时钟后重新签名',
        'The timestamp is more than {s} s from ours ({now}): set your clock and sign again',
      ],
      { s: SKEW_S, now: call.now },
    )
  const by = await found(core, kind, { key, now: call.now })
  const wanted = signatureOf(by?.secret ?? 'nobody', { ...call, timestamp, nonce })
  if (!isSameSecret(signature, wanted) || !by) throw unsigned()
  if (!isAllowed(call.ip, by.row.ip_list))
    throw no(
      403,
      'address',
      [
        '来源地址 {ip} 不在白名单内，请联系我们添加',
        'The address {ip} is none of yours: have it added',
      ],
      { ip: plainIp(call.ip) },
    )
  await takeNonce(core, `${kind.name}:${by.row.id}`, nonce, call.now)
  return { ...by, nonce }
}
