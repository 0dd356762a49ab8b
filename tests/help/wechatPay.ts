import {
  constants,
  createCipheriv,
  generateKeyPairSync,
  privateDecrypt,
  randomBytes,
  sign,
  verify,
} from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WechatPayKeys } from '#src/areas/payment/wechatClient.channel.ts'
import { unixNow } from '#src/domain/time.ts'
import { atEnd } from '../farm/ends.ts'

const ours = generateKeyPairSync('rsa', { modulusLength: 2048 })
const theirs = generateKeyPairSync('rsa', { modulusLength: 2048 })
export const payKeys: WechatPayKeys = {
  mchid: '1900000001',
  serial: '7'.repeat(40),
  private_key: ours.privateKey,
  v3_key: 'k'.repeat(32),
  public_key: theirs.publicKey,
  public_key_id: 'PUB_KEY_ID_0119000000012026112000000000000000',
}
/** What was sealed for WeChat alone. */
export const openedByWechat = (sealed: string): string =>
  privateDecrypt(
    { key: theirs.privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING },
    Buffer.from(sealed, 'base64'),
  ).toString('utf8')
export const payPems = {
  ours: ours.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  theirs: theirs.publicKey.export({ type: 'spki', format: 'pem' }) as string,
}

/** What WeChat puts round a body: its signature, made now unless said. */
export const signedByWechat = (
  body: string,
  { at = unixNow(), key = theirs.privateKey, serial = payKeys.public_key_id } = {},
) => {
  const nonce = randomBytes(16).toString('hex')
  return {
    'wechatpay-timestamp': String(at),
    'wechatpay-nonce': nonce,
    'wechatpay-serial': serial,
    'wechatpay-signature': sign('sha256', Buffer.from(`${at}\n${nonce}\n${body}\n`), key).toString(
      'base64',
    ),
  }
}
const eventOf = {
  transaction: 'TRANSACTION.SUCCESS',
  refund: 'REFUND.SUCCESS',
  mch_payment: 'MCHTRANSFER.BILL.FINISHED',
}
/** A callback as WeChat sends it: the resource sealed with the APIv3 key. */
export const callbackBody = (
  type: 'transaction' | 'refund' | 'mch_payment',
  resource: object,
  v3_key = payKeys.v3_key,
): string => {
  const nonce = randomBytes(6).toString('hex')
  const cipher = createCipheriv('aes-256-gcm', v3_key, nonce).setAAD(Buffer.from(type))
  const ciphertext = Buffer.concat([
    cipher.update(JSON.stringify(resource)),
    cipher.final(),
    cipher.getAuthTag(),
  ]).toString('base64')
  return JSON.stringify({
    id: 'EV-2026112122301500000001',
    create_time: '2026-11-21T22:30:15+08:00',
    resource_type: 'encrypt-resource',
    event_type: eventOf[type],
    summary: '支付成功',
    resource: {
      original_type: type,
      algorithm: 'AEAD_AES_256_GCM',
      ciphertext,
      associated_data: type,
      nonce,
    },
  })
}

type Asked = {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
  /** Its signature is our merchant's. */ genuine: boolean
}
type Said = {
  status: number
  body: string
  /** A file, in the place of a body. */ bytes: Buffer
  headers?: Record<string, string>
  /** Never answers. */ silent?: boolean
}
/**
 * A server in WeChat's place, on this machine; it verifies what it is asked and signs what it says.
 */
export const wechatServer = async (say: (asked: Asked) => Partial<Said> & { json?: object }) => {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request
      .on('data', chunk => chunks.push(chunk))
      .on('end', () => {
        const body = Buffer.concat(chunks).toString()
        const part = Object.fromEntries(
          [...(request.headers.authorization ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(found => [
            found[1]!,
            found[2]!,
          ]),
        )
        const genuine =
          (request.headers.authorization ?? '').startsWith('WECHATPAY2-SHA256-RSA2048 ') &&
          part['mchid'] === payKeys.mchid &&
          part['serial_no'] === payKeys.serial &&
          verify(
            'sha256',
            Buffer.from(
              `${request.method}\n${request.url}\n${part['timestamp']}\n${part['nonce_str']}\n${body}\n`,
            ),
            ours.publicKey,
            Buffer.from(part['signature'] ?? '', 'base64'),
          )
        const one = {
          method: request.method!,
          url: request.url!,
          headers: request.headers,
          body,
          genuine,
        }
        asked.push(one)
        const {
          status = 200,
          json,
          body: text = JSON.stringify(json ?? {}),
          bytes,
          headers = signedByWechat(text),
          silent,
        } = say(one)
        if (!silent)
          response
            .writeHead(status, { 'content-type': 'application/json', ...headers })
            .end(bytes ?? text)
      })
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return { api: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}
