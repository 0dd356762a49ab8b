import { isAbsolute, join } from 'node:path'
import { z } from 'zod'
import type { WechatPayKeys } from '#src/areas/payment/wechatClient.channel.ts'
import { codeKeysIn } from '#src/areas/secret/keyFile.server.ts'
import type { WecomSetup } from '#src/areas/wecom/port.server.ts'
import { bankSettings } from './bankSettings.ts'
import { wechatPayOf, wechatPaySettings } from './wechatPaySettings.ts'
import { wecomOf, wecomSettings } from './wecomSettings.ts'

const port = z.coerce.number().int().min(0).max(65535)
const onOff = z.enum(['on', 'off']).transform(value => value === 'on')
const address = (protocols: RegExp) => z.url({ protocol: protocols })
/** `qiniu://access:secret@bucket?upload=https://…&domain=https://…` */
const qiniu = address(/^qiniu$/).refine(value => {
  if (!URL.canParse(value)) return false
  const { username, password, searchParams } = new URL(value)
  return (
    username !== '' &&
    password !== '' &&
    ['upload', 'domain'].every(name => /^https?:\/\/[^/]/.test(searchParams.get(name) ?? ''))
  )
})

/**
 * Every setting: its environment variable, what it accepts, what it is when it is not set, and what
 * to tell people of it. README and `--help` are made of this.
 */
export const settings = {
  PORT: {
    schema: port,
    initial: '4180',
    about: 'Port of console and API, 0 to 65535; 0 takes any free one.',
    example: 'PORT=8080',
  },
  HOST: {
    schema: z.string().min(1),
    initial: '127.0.0.1',
    about: 'Address to listen on. 0.0.0.0 opens it to the network.',
    example: 'HOST=0.0.0.0',
  },
  MALLET_DATA: {
    schema: z.string().min(1),
    initial: './data',
    about: 'Folder of the embedded database, uploads and exports. Kept between starts.',
    example: 'MALLET_DATA=/var/lib/mallet',
  },
  MALLET_CODE_KEYS: {
    schema: z.string().min(1),
    initial: 'code-keys.json in MALLET_DATA',
    about:
      'File of the keys that redeem codes are kept under, made at the first start. Processes on one DATABASE_URL share it; keep a backup apart from the database’s.',
    example: 'MALLET_CODE_KEYS=/etc/mallet/code-keys.json',
  },
  DATABASE_URL: {
    schema: address(/^postgres(ql)?$/),
    initial: '',
    about: 'A PostgreSQL (15 or newer) to use instead of the embedded database.',
    example: 'DATABASE_URL=postgres://mallet:secret@localhost:5432/mallet',
  },
  MANAGEBACK_URL: {
    schema: address(/^https?$/),
    initial: '',
    about:
      'Another manageback: serve the console only and pass /api on to it. No database is opened.',
    example: 'MANAGEBACK_URL=https://manageback.example.com',
  },
  MALLET_DEMO: {
    schema: onOff,
    initial: 'on; off with DATABASE_URL',
    about: 'Demo data on first run, and the demo accounts on the sign-in page: on or off.',
    example: 'MALLET_DEMO=off',
  },
  MALLET_SIMULATOR: {
    schema: onOff,
    initial: 'as MALLET_DEMO',
    about: 'Merchants that submit and shoppers that act every few seconds: on or off.',
    example: 'MALLET_SIMULATOR=off',
  },
  MALLET_ADMIN_PASSWORD: {
    schema: z.string().min(6).max(16),
    initial: '',
    about:
      'Password of the first administrator (account admin), 6 to 16 characters. Without it a one-time password is printed once.',
    example: 'MALLET_ADMIN_PASSWORD=…',
  },
  MALLET_TRUST_PROXY: {
    schema: z.string().min(1),
    initial: '',
    about:
      'Addresses or networks of the reverse proxies whose X-Forwarded-For is believed, with commas. None unless set.',
    example: 'MALLET_TRUST_PROXY=10.0.0.0/8',
  },
  MALLET_OPERATOR_TOKEN: {
    schema: z.string().regex(/^[\x21-\x7e]{16,128}$/),
    initial: '',
    about:
      'Token of at least 16 characters that opens /metrics and /api/docs, sent as Authorization: Bearer. Without it /metrics is closed.',
    example: 'MALLET_OPERATOR_TOKEN=…',
  },
  MALLET_LOG: {
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']),
    initial: 'info',
    about: 'What the log tells: trace, debug, info, warn, error or silent.',
    example: 'MALLET_LOG=warn',
  },
  MALLET_QINIU: {
    schema: qiniu,
    initial: '',
    about:
      'Qiniu bucket for pictures instead of the data folder: keys, bucket, upload address and the domain pictures are seen under.',
    example:
      'MALLET_QINIU=qiniu://access:secret@bucket?upload=https://upload.qiniup.com&domain=https://img.example.com',
  },
  MALLET_ORIGIN: {
    schema: z.url({ protocol: /^https$/ }),
    initial: '',
    about:
      'Address under which customers reach this server. Links of WeCom messages then go by it and are counted; without it they go as they are.',
    example: 'MALLET_ORIGIN=https://go.example.com',
  },
  AMAP_KEY: {
    schema: z.string().regex(/^[\w-]{8,64}$/),
    initial: '',
    about:
      'Key of the map service (AMap JS API) for pins and place search. Without it a plain map is drawn.',
    example: 'AMAP_KEY=0123456789abcdef0123456789abcdef',
  },
  AMAP_SECURITY_CODE: {
    schema: z.string().regex(/^[\w-]{8,64}$/),
    initial: '',
    about:
      'Security code that belongs to AMAP_KEY. Browsers of signed-in staff get to see it: limit the key to your domain.',
    example: 'AMAP_SECURITY_CODE=…',
  },
  WECHAT_APPID: {
    schema: z.string().regex(/^wx[0-9a-f]{16}$/),
    initial: '',
    about:
      'AppID of the mini-program whose codes are made. Without it a QR of the same target stands in.',
    example: 'WECHAT_APPID=wx0123456789abcdef',
  },
  WECHAT_SECRET: {
    schema: z.string().regex(/^[0-9a-f]{32}$/),
    initial: '',
    about: 'AppSecret that belongs to WECHAT_APPID. Never leaves the server.',
    example: 'WECHAT_SECRET=0123456789abcdef0123456789abcdef',
  },
  ...wechatPaySettings,
  ...wecomSettings,
  WECOM_PROXY_URL: {
    schema: address(/^https?$/),
    initial: '',
    about: "A proxy to reach WeCom's robots through, in the place of https://qyapi.weixin.qq.com.",
    example: 'WECOM_PROXY_URL=https://proxy.example.com',
  },
  MAIL_GATEWAY_URL: {
    schema: address(/^https?$/),
    initial: '',
    about:
      'Where mail of notification groups is posted as JSON { to, text }. Without it, e-mail groups say that nothing is configured.',
    example: 'MAIL_GATEWAY_URL=https://mail.example.com/send',
  },
  SMS_GATEWAY_URL: {
    schema: address(/^https?$/),
    initial: '',
    about: 'Where text messages are posted as JSON { to, text }, the same way.',
    example: 'SMS_GATEWAY_URL=https://sms.example.com/send',
  },
  COURIER_API_URL: {
    schema: address(/^https?$/),
    initial: '',
    about:
      'Where traces of parcels are asked for as JSON { code, tracking_no, phone }, answered by { state, traces: [{ at, text }] }. Without it, only the demo’s parcels move.',
    example: 'COURIER_API_URL=https://track.example.com/query',
  },
  ...bankSettings,
  MALLET_LICENCE: {
    schema: z.union([
      z.enum(['embedded', 'none']),
      address(/^https?$/).transform(url => new URL(url)),
    ]),
    initial: 'embedded',
    about:
      'Where pictures of business licences are read: embedded, this server’s own reader; the address of a service, which a PNG is posted to and which answers { lines: [text] }; or none.',
    example: 'MALLET_LICENCE=https://ocr.example.com/lines',
  },
  MALLET_SEED: {
    schema: z.coerce.number().int().min(0).max(2147483647),
    initial: '20261120',
    about: 'Number from which all demo data grows: the same number, the same data.',
    example: 'MALLET_SEED=7',
  },
  MALLET_SCALE: {
    schema: z.coerce.number().min(0.01).max(100),
    initial: '1',
    about: 'How much demo data, 0.01 to 100; 1 is 60,000 orders.',
    example: 'MALLET_SCALE=0.1',
  },
} as const

export type Config = {
  port: number
  host: string
  /** Absolute path. */
  data: string
  /** Absolute path of the file of code keys. */
  code_keys: string
  database_url: string | null
  manageback_url: string | null
  demo: boolean
  simulator: boolean
  admin_password: string | null
  trust_proxy: string[]
  operator_token: string | undefined
  /** Picture store, see `imageStoreOf` in upload.ts. */
  qiniu: string | null
  /** Where customers reach this server, without a slash at its end. */
  origin: string | null
  map: { key: string; security_code: string } | null
  wechat: { appid: string; secret: string } | null
  /** Null: no payment channel, or the embedded one of the demo. */
  wechat_pay: WechatPayKeys | null
  /** Null: nothing is tracked but the demo's parcels. */
  courier_api: string | null
  /** Null: no account is verified but the demo's. */
  bank_transfer: string | null
  /** Null: WeCom is not connected, or the embedded one of the demo. */
  wecom: WecomSetup | null
  licence: URL | 'embedded' | 'none'
  gateways: { robot: string | null; mail: string | null; sms: string | null }
  log: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'
  seed: number
  scale: number
}

/**
 * One or more settings that can't be used; the message names each and how to mend it, and never
 * shows a secret's value.
 */
export class BadConfig extends Error {
  constructor(readonly faults: readonly string[]) {
    super(`Some settings can't be used:\n${faults.map(fault => `  ${fault}`).join('\n')}`)
    this.name = 'BadConfig'
  }
}
const secret = new Set([
  'DATABASE_URL',
  'MALLET_QINIU',
  'MALLET_ADMIN_PASSWORD',
  'WECHAT_SECRET',
  'WECHAT_PAY_V3_KEY',
  'AMAP_SECURITY_CODE',
  'WECOM_CONTACT_SECRET',
  'WECOM_CALLBACK_TOKEN',
  'WECOM_CALLBACK_KEY',
])
const mapOf = (key: string | undefined, security_code = '') => (key ? { key, security_code } : null)
const wechatOf = (appid: string | undefined, secret: string | undefined) =>
  appid && secret ? { appid, secret } : null

type Environment = Readonly<Record<string, string | undefined>>
type SettingName = keyof typeof settings
type SettingValue<K extends SettingName> = z.output<(typeof settings)[K]['schema']>
/** A setting's value, or the default; undefined without either, or where a fault was kept. */
type Get = <K extends SettingName>(name: K, otherwise?: string) => SettingValue<K> | undefined

/** Reads single settings, and keeps what is wrong with one for the message at the end. */
const reader =
  (env: Environment, faults: string[]): Get =>
  <K extends SettingName>(name: K, otherwise?: string) => {
    const given = env[name]?.trim() || otherwise
    if (given === undefined) return undefined
    const parsed = settings[name].schema.safeParse(given)
    if (parsed.success) return parsed.data as SettingValue<K>
    faults.push(
      `${name}${secret.has(name) ? '' : `=${given}`}: ${settings[name].about} For example: ${settings[name].example}`,
    )
    return undefined
  }
/** A misspelt name would otherwise be silently without effect. */
const unknownNames = (env: Environment): string[] =>
  Object.keys(env)
    .filter(name => name.startsWith('MALLET_') && !Object.hasOwn(settings, name))
    .map(
      name => `${name}: there is no such setting. There are: ${Object.keys(settings).join(', ')}`,
    )
const inFolder = (folder: string, path: string): string =>
  isAbsolute(path) ? path : join(folder, path)

/**
 * Reads the settings from the environment. Throws BadConfig. An empty variable counts as not set.
 */
export const readConfig = (env: Environment, folder = process.cwd()): Config => {
  const faults: string[] = unknownNames(env)
  const get = reader(env, faults)
  const orNull = <K extends SettingName>(name: K): SettingValue<K> | null => get(name) ?? null
  // Undefined stands for a faulty value; readConfig then throws before anybody reads it.
  const orInitial = <K extends SettingName>(name: K): SettingValue<K> =>
    get(name, settings[name].initial)!

  const database_url = orNull('DATABASE_URL')
  const manageback_url = orNull('MANAGEBACK_URL')
  const demo = get('MALLET_DEMO', database_url ? 'off' : 'on') ?? false
  if (database_url && demo)
    faults.push(
      'MALLET_DEMO=on: demo accounts have known passwords and are never put into a PostgreSQL of your own. Leave MALLET_DEMO unset, or leave DATABASE_URL unset',
    )
  const data = orInitial('MALLET_DATA')
  const dataFolder = data && inFolder(folder, data)
  const codeKeys = get('MALLET_CODE_KEYS')
  const wechat_pay = wechatPayOf(get, env, path => inFolder(folder, path), faults)
  const config: Config = {
    port: orInitial('PORT'),
    host: orInitial('HOST'),
    data: dataFolder,
    code_keys: codeKeys === undefined ? codeKeysIn(dataFolder) : inFolder(folder, codeKeys),
    database_url,
    manageback_url,
    demo,
    simulator: get('MALLET_SIMULATOR', demo ? 'on' : 'off')!,
    admin_password: orNull('MALLET_ADMIN_PASSWORD'),
    trust_proxy: (get('MALLET_TRUST_PROXY') ?? '')
      .split(',')
      .map(each => each.trim())
      .filter(Boolean),
    operator_token: get('MALLET_OPERATOR_TOKEN'),
    qiniu: orNull('MALLET_QINIU'),
    origin: get('MALLET_ORIGIN')?.replace(/\/+$/, '') ?? null,
    map: mapOf(get('AMAP_KEY'), get('AMAP_SECURITY_CODE')),
    wechat: wechatOf(get('WECHAT_APPID'), get('WECHAT_SECRET')),
    wechat_pay,
    courier_api: orNull('COURIER_API_URL'),
    bank_transfer: orNull('BANK_TRANSFER_URL'),
    wecom: wecomOf(get, env, faults),
    licence: orInitial('MALLET_LICENCE'),
    gateways: {
      robot: get('WECOM_PROXY_URL')?.replace(/\/$/, '') ?? null,
      mail: orNull('MAIL_GATEWAY_URL'),
      sms: orNull('SMS_GATEWAY_URL'),
    },
    log: orInitial('MALLET_LOG'),
    seed: orInitial('MALLET_SEED'),
    scale: orInitial('MALLET_SCALE'),
  }
  if (Boolean(env['WECHAT_APPID']?.trim()) !== Boolean(env['WECHAT_SECRET']?.trim()))
    faults.push('WECHAT_APPID and WECHAT_SECRET belong together: set both or neither')
  if (faults.length > 0) throw new BadConfig(faults)
  return config
}

/** The table of settings, for `--help` and the README. */
export const settingsTable = (): string =>
  [
    '| variable | default | what it does |',
    '|---|---|---|',
    ...Object.entries(settings).map(
      ([name, { initial, about }]) =>
        `| \`${name}\` | ${initial ? `\`${initial}\`` : '—'} | ${about} |`,
    ),
  ].join('\n')
