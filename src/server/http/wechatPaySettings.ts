import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { WechatPayKeys } from '#src/areas/payment/wechatClient.channel.ts'

/** The settings of WeChat Pay, for the table of all settings. */
export const wechatPaySettings = {
  WECHAT_PAY_MCHID: {
    schema: z.string().regex(/^\d{8,10}$/),
    initial: '',
    about:
      'Merchant number of WeChat Pay. With the five settings below it receives payments and sends refunds; without them no money moves.',
    example: 'WECHAT_PAY_MCHID=1900000001',
  },
  WECHAT_PAY_SERIAL: {
    schema: z.string().regex(/^[0-9A-Fa-f]{16,40}$/),
    initial: '',
    about: 'Serial number of the merchant API certificate.',
    example: 'WECHAT_PAY_SERIAL=7777…',
  },
  WECHAT_PAY_KEY: {
    schema: z.string().min(1),
    initial: '',
    about: 'File with the merchant’s private key (apiclient_key.pem).',
    example: 'WECHAT_PAY_KEY=/etc/mallet/apiclient_key.pem',
  },
  WECHAT_PAY_V3_KEY: {
    schema: z.string().regex(/^[\x21-\x7e]{32}$/),
    initial: '',
    about: 'APIv3 key, 32 characters. Callbacks are sealed with it.',
    example: 'WECHAT_PAY_V3_KEY=…',
  },
  WECHAT_PAY_PUBLIC_KEY: {
    schema: z.string().min(1),
    initial: '',
    about:
      'File with WeChat Pay’s public key or platform certificate, which its answers are verified with.',
    example: 'WECHAT_PAY_PUBLIC_KEY=/etc/mallet/pub_key.pem',
  },
  WECHAT_PAY_PUBLIC_KEY_ID: {
    schema: z.string().regex(/^(PUB_KEY_ID_\d+|[0-9A-Fa-f]{16,40})$/),
    initial: '',
    about: 'Id of that public key, or the serial number of that certificate.',
    example: 'WECHAT_PAY_PUBLIC_KEY_ID=PUB_KEY_ID_0119000000012026112000000000000000',
  },
} as const

const payNames = [
  'WECHAT_PAY_MCHID',
  'WECHAT_PAY_SERIAL',
  'WECHAT_PAY_KEY',
  'WECHAT_PAY_V3_KEY',
  'WECHAT_PAY_PUBLIC_KEY',
  'WECHAT_PAY_PUBLIC_KEY_ID',
] as const
type PayName = (typeof payNames)[number]

/**
 * WeChat Pay's settings: all come together, or none; what is missing or can't be read is added to
 * `faults`. Null where they are not all there.
 */
export const wechatPayOf = (
  get: (name: PayName) => string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  pathOf: (file: string) => string,
  faults: string[],
): WechatPayKeys | null => {
  const [mchid, serial, keyFile, v3_key, publicFile, public_key_id] = payNames.map(name =>
    get(name),
  )
  const missing = payNames.filter(name => !env[name]?.trim())
  if (missing.length > 0 && missing.length < payNames.length)
    faults.push(
      `${missing.join(', ')}: missing. The settings of WeChat Pay belong together: set all of ${payNames.join(', ')}, or none / 微信支付的 6 项设置须同时提供，或都不提供`,
    )
  const keyOf = (
    name: 'WECHAT_PAY_KEY' | 'WECHAT_PAY_PUBLIC_KEY',
    file: string | undefined,
    read: (pem: string) => KeyObject,
  ): KeyObject | undefined => {
    if (!file) return undefined
    try {
      const key = read(readFileSync(pathOf(file), 'utf8'))
      if (key.asymmetricKeyType === 'rsa') return key
      faults.push(`${name}=${file}: not an RSA key. ${wechatPaySettings[name].about}`)
    } catch (error) {
      const fault =
        (error as { code?: string }).code === 'ENOENT'
          ? 'there is no such file'
          : 'no key can be read from it'
      faults.push(`${name}=${file}: ${fault}. ${wechatPaySettings[name].about} / 无法读取密钥文件`)
    }
    return undefined
  }
  const private_key = keyOf('WECHAT_PAY_KEY', keyFile, createPrivateKey)
  const public_key = keyOf('WECHAT_PAY_PUBLIC_KEY', publicFile, createPublicKey)
  const isWhole = mchid && serial && private_key && v3_key && public_key && public_key_id
  return isWhole ? { mchid, serial, private_key, v3_key, public_key, public_key_id } : null
}
