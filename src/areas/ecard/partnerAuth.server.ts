import { BlockList, isIP } from 'node:net'
import { and, eq, gt, gte, or, sql } from 'drizzle-orm'
import { plainIp } from '#src/areas/log/logs.ts'
import { sealerOf, type Sealer } from '#src/areas/secret/secrets.server.ts'
import type { Text } from '#src/domain/text.ts'
import type { Core } from '#src/server/call/pipeline.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import { isSameSecret } from '#src/server/sessions/sameSecret.ts'
import { ecard_partner_nonce } from './channel.table.ts'
import { ecard_channel } from './ecard.table.ts'
import { CALLS_A_MINUTE, signatureOf, SKEW_S, type Signed } from './partner.server.ts'

export type Partner = {
  channel: typeof ecard_channel.$inferSelect
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
/** The channel of a key, the one before it among them until it ends; undefined for a strange one. */
const found = async ({ database, install }: Core, key: string, now: number) => {
  const t = ecard_channel
  const [channel] = await database.db
    .select()
    .from(t)
    .where(
      and(
        eq(t.type, 'api'),
        or(eq(t.app_key, key), and(eq(t.old_app_key, key), gt(t.old_key_until, now))),
      ),
    )
  const sealed = channel?.app_key === key ? channel.secret_enc : channel?.old_secret_enc
  if (!channel || !sealed) return undefined
  const sealer = await sealerOf(install.codeKeys, database.db)
  return { channel, sealer, secret: sealer.open(sealed, key) }
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
const takeNonce = async ({ database }: Core, channel_id: number, nonce: string, now: number) => {
  const t = ecard_partner_nonce
  const taken = await database.db
    .insert(t)
    .values({ channel_id, nonce, at: now })
    .onConflictDoNothing()
    .returning()
  if (taken.length === 0)
    throw no(401, 'replayed', [
      '该请求已处理过：每次请求须使用新的 X-Mallet-Nonce 重新签名',
      'This very request was heard before: sign each with a new X-Mallet-Nonce',
    ])
  const calls = await database.db.$count(
    t,
    and(eq(t.channel_id, channel_id), gte(t.at, sql`${now}::bigint - 60`)),
  )
  if (calls > CALLS_A_MINUTE)
    throw no(
      429,
      'too_many',
      ['每分钟最多 {n} 次请求，请稍后重试', 'At most {n} calls a minute: try again shortly'],
      { n: CALLS_A_MINUTE },
    )
}

/**
 * Answers the partner that calls: its signature, clock, address and nonce are right. Throws 401, 403 or 429 with the rule that refuses; a stranger learns nothing of our partners.
 */
export const partnerOf = async (core: Core, call: Call): Promise<Partner> => {
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
  const by = await found(core, key, call.now)
  const wanted = signatureOf(by?.secret ?? 'nobody', { ...call, timestamp, nonce })
  if (!isSameSecret(signature, wanted) || !by) throw unsigned()
  if (!isAllowed(call.ip, by.channel.ip_list))
    throw no(
      403,
      'address',
      [
        '来源地址 {ip} 不在白名单内，请联系我们添加',
        'The address {ip} is none of yours: have it added',
      ],
      { ip: plainIp(call.ip) },
    )
  await takeNonce(core, by.channel.id, nonce, call.now)
  return { ...by, nonce }
}
