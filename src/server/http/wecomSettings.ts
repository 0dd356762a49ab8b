import { z } from 'zod'
import type { WecomSetup } from '#src/areas/wecom/port.server.ts'

/** The settings of WeCom's customer contact, for the table of all settings. */
export const wecomSettings = {
  WECOM_CORP_ID: {
    schema: z.string().regex(/^w[wx][0-9A-Za-z]{16}$/),
    initial: '',
    about:
      'Id of the corp in WeCom whose customer contact is worked on. With the secret below; without them the demo has a WeCom of its own.',
    example: 'WECOM_CORP_ID=ww0123456789abcdef',
  },
  WECOM_CONTACT_SECRET: {
    schema: z.string().regex(/^[\w-]{20,64}$/),
    initial: '',
    about:
      'Secret of the app that may call customer contact and sees the directory. Never leaves the server.',
    example: 'WECOM_CONTACT_SECRET=…',
  },
  WECOM_API_URL: {
    schema: z.url({ protocol: /^https?$/ }),
    initial: '',
    about:
      'Where WeCom is asked for customer contact, in the place of https://qyapi.weixin.qq.com: a proxy with a trusted address.',
    example: 'WECOM_API_URL=https://proxy.example.com',
  },
  WECOM_CALLBACK_TOKEN: {
    schema: z.string().regex(/^[0-9A-Za-z]{1,32}$/),
    initial: '',
    about:
      'Token that WeCom signs its callbacks to /wecom/callback with. With the key below; without them changes are seen at the next synchronisation.',
    example: 'WECOM_CALLBACK_TOKEN=…',
  },
  WECOM_CALLBACK_KEY: {
    schema: z.string().regex(/^[0-9A-Za-z]{43}$/),
    initial: '',
    about: 'EncodingAESKey, 43 characters, that WeCom seals its callbacks with.',
    example: 'WECOM_CALLBACK_KEY=…',
  },
} as const

const wecomNames = ['WECOM_CORP_ID', 'WECOM_CONTACT_SECRET'] as const
const callbackNames = ['WECOM_CALLBACK_TOKEN', 'WECOM_CALLBACK_KEY'] as const
type WecomName = (typeof wecomNames)[number] | (typeof callbackNames)[number] | 'WECOM_API_URL'
/**
 * WeCom's settings: those that belong together come together, or not at all; what is missing is
 * added to `faults`. Null where no corp is named.
 */
export const wecomOf = (
  get: (name: WecomName) => string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  faults: string[],
): WecomSetup | null => {
  const isSet = (name: WecomName) => Boolean(env[name]?.trim())
  const [corp_id, secret] = wecomNames.map(name => get(name))
  const [token, aes_key] = callbackNames.map(name => get(name))
  const api = get('WECOM_API_URL')?.replace(/\/$/, '')
  for (const names of [wecomNames, callbackNames]) {
    const lacks = names.filter(name => !isSet(name))
    if (lacks.length === 1)
      faults.push(`${lacks[0]!}: missing. ${names.join(' and ')} belong together: set both or none`)
  }
  if (isSet('WECOM_CALLBACK_TOKEN') && !isSet('WECOM_CORP_ID'))
    faults.push('WECOM_CORP_ID: missing. Callbacks are heard for a corp: set its id and secret')
  if (!corp_id || !secret) return null
  return {
    keys: { corp_id, secret },
    ...(api && { api }),
    callback: token && aes_key ? { token, aes_key } : null,
  }
}
