import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { z } from 'zod'
import { refusalWords } from '#src/areas/payment/channelWords.ts'
import {
  garbledText,
  wechatClient,
  type WechatAround,
  type WechatFile,
  type WechatPayKeys,
  type WechatSaid,
} from '#src/areas/payment/wechatClient.channel.ts'
import { joined, type Text } from '#src/domain/text.ts'
import { UNPACKED_MOST } from './billFile.server.ts'
import type { BillAnswer, BillSource } from './bills.channel.ts'
import type { FetchedForm } from './reconcile.ts'

const unpack = promisify(gunzip)
const PACKED_MOST = 8 * 1024 * 1024
const paths: Readonly<Record<FetchedForm, string>> = {
  trade: '/v3/bill/tradebill',
  fund: '/v3/bill/fundflowbill',
}
/** All orders of a day, and the account that payments go to. */
const wanted: Readonly<Record<FetchedForm, Record<string, string>>> = {
  trade: { bill_type: 'ALL' },
  fund: { account_type: 'BASIC' },
}
const named = z.object({
  hash_type: z.literal('SHA1'),
  hash_value: z.string().regex(/^[\da-fA-F]{40}$/),
  download_url: z.string().min(1).max(2048),
})
const faults: Readonly<Record<string, Text>> = {
  NO_AUTH: [
    '商户号没有下载账单的权限，请在商户平台开通',
    'The merchant number may not download bills: grant it in the merchant platform',
  ],
  PARAM_ERROR: [
    '微信支付不接受这个账单日，只能取三个月内的账单',
    'WeChat Pay does not take this day: it keeps bills for three months',
  ],
  TOO_LARGE: [
    '账单过大，请在商户平台下载后分次导入',
    'The bill is too large: download it there and import it in parts',
  ],
}
const making = joined(['微信支付正在生成账单', 'WeChat Pay is making the bill'])
const broken = joined([
  '下载的账单不完整，没有导入',
  'The bill came incomplete and was not imported',
])
const otherHash = joined([
  '下载的账单与微信支付公布的摘要不一致，没有导入',
  'The bill is not the one whose hash WeChat Pay named: it was not imported',
])
const notSaid = (
  result: Exclude<WechatSaid | WechatFile, { said: unknown } | { file: Buffer }>,
) => {
  if ('unknown' in result) return { state: 'unknown', text: result.unknown } as const
  const { code, message } = result.refused
  if (code === 'NO_STATEMENT_EXIST') return { state: 'none' } as const
  if (code === 'STATEMENT_CREATING') return { state: 'later', text: making } as const
  return { state: 'failed', text: refusalWords(faults, code, message) } as const
}
/** The file unpacked, once its hash is the one that WeChat signed: WeChat counts it unpacked. */
const proved = async (file: Buffer, hash: string): Promise<BillAnswer> => {
  const plain = await unpack(file, { maxOutputLength: UNPACKED_MOST }).catch(() => undefined)
  if (!plain) return { state: 'unknown', text: broken }
  return createHash('sha1').update(plain).digest('hex') === hash.toLowerCase()
    ? { state: 'ready', file: plain }
    : { state: 'unknown', text: otherHash }
}
/**
 * The bills of WeChat Pay (API v3): it names a file with its hash in a signed answer, and the file is
 * fetched packed and held against that hash.
 */
export const wechatBills = (keys: WechatPayKeys, around: WechatAround = {}): BillSource => {
  const { call, file } = wechatClient(keys, around)
  return {
    name: 'wechat',
    bill: async ({ day, form }) => {
      const search = new URLSearchParams({ bill_date: day, tar_type: 'GZIP', ...wanted[form] })
      const result = await call('GET', `${paths[form]}?${search}`)
      if (!('said' in result)) return notSaid(result)
      const { data } = named.safeParse(result.said)
      if (!data) return { state: 'unknown', text: garbledText }
      const got = await file(data.download_url, PACKED_MOST)
      return 'file' in got ? proved(got.file, data.hash_value) : notSaid(got)
    },
  }
}
