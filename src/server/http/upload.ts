import { createHash, createHmac } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import multipart from '@fastify/multipart'
import type { FastifyError, FastifyInstance } from 'fastify'
import { upload } from '#src/areas/export/job.table.ts'
import { PICTURE_MAX_BYTES, pictureTooBig } from '#src/domain/picture.ts'
import { say, type Text } from '#src/domain/text.ts'
import { dateOf, unixNow } from '#src/domain/time.ts'
import { langOf } from '#src/server/call/pipeline.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { faultOf } from '#src/server/db/faults.ts'
import { parseFile } from '#src/server/files/parsing.ts'
import { isSameSecret } from '#src/server/sessions/sameSecret.ts'
import { isLive } from '#src/server/sessions/sessions.ts'

/**
 * An image store: Qiniu's, or the local one that speaks its form upload. `domain` is what pictures
 * are seen under.
 */
export type ImageStore = {
  access_key: string
  secret_key: string
  bucket: string
  domain: string
  upload_url: string
}

/**
 * The store that `qiniu://access:secret@bucket?upload=https://…&domain=https://…` names; the
 * setting's schema has checked its form.
 */
export const imageStoreOf = (address: string): ImageStore => {
  const url = new URL(address)
  const param = (name: string) => (url.searchParams.get(name) ?? '').replace(/\/$/, '')
  return {
    access_key: decodeURIComponent(url.username),
    secret_key: decodeURIComponent(url.password),
    bucket: url.hostname,
    domain: param('domain'),
    upload_url: param('upload'),
  }
}

const TOKEN_LIVES_S = 600

const urlSafe = (bytes: Buffer) => bytes.toString('base64').replace(/\+/g, '-').replace(/\//g, '_')
const signed = (secret: string, text: string) =>
  urlSafe(createHmac('sha1', secret).update(text).digest())

type Policy = {
  scope: string
  deadline: number
  isPrefixalScope?: number
  insertOnly?: number
  fsizeLimit?: number
  mimeLimit?: string
  detectMime?: number
  /** The person and their session, with which the token ends, as `3/71`. */
  endUser?: string
}
/**
 * A Qiniu upload token: access key, HMAC-SHA1 and policy; new keys below the person's own prefix
 * only, images only, ten minutes.
 */
export const uploadTokenFor = (
  store: ImageStore,
  { staff_id, session_id }: { staff_id: number; session_id: number },
  now: number,
): string => {
  const policy: Policy = {
    scope: `${store.bucket}:img/${staff_id}/`,
    isPrefixalScope: 1,
    insertOnly: 1,
    deadline: now + TOKEN_LIVES_S,
    fsizeLimit: PICTURE_MAX_BYTES,
    mimeLimit: 'image/jpeg;image/png;image/webp',
    detectMime: 1,
    endUser: `${staff_id}/${session_id}`,
  }
  const encoded = urlSafe(Buffer.from(JSON.stringify(policy)))
  return `${store.access_key}:${signed(store.secret_key, encoded)}:${encoded}`
}
/** The policy of a token that is ours, within its time. */
const policyOf = (store: ImageStore, token: string, now: number): Policy | undefined => {
  const [key, sign = '', encoded = ''] = token.split(':')
  if (key !== store.access_key || !isSameSecret(sign, signed(store.secret_key, encoded)))
    return undefined
  const policy = JSON.parse(
    Buffer.from(encoded.replace(/-/g, '+').replace(/_/g, '/'), 'base64').toString(),
  ) as Policy
  return policy.deadline > now ? policy : undefined
}
/** The policy of a token that is ours and still valid: whoever has signed out uploads no more. */
const validPolicy = async (store: ImageStore, { db }: Database, token = '') => {
  const now = unixNow()
  const policy = policyOf(store, token, now)
  const [admin_id = 0, session_id = 0] = (policy?.endUser ?? '').split('/').map(Number)
  return policy && (await isLive(db, session_id, now)) ? { ...policy, admin_id } : undefined
}

/** The bytes of a stored picture: `home` is the store's address, or the local store's folder. */
export const pictureOf = async (home: string, file_key: string): Promise<Buffer> => {
  if (!/^https?:/.test(home)) return readFile(join(home, file_key))
  const answered = await fetch(`${home}/${file_key}`, {
    redirect: 'error',
    signal: AbortSignal.timeout(10_000),
  })
  if (!answered.ok) throw new Error(`HTTP ${answered.status}`)
  return Buffer.from(await answered.arrayBuffer())
}

/** A refusal as a value; whatever else was thrown is thrown on. */
const refusalOnly = (error: unknown): Refusal => {
  if (error instanceof Refusal) return error
  throw error
}

type UploadFault = { status: number; error: Text }
/** What a fault on the way of an upload means to whoever sent it; undefined for a fault of ours. */
export const uploadFault = (fault: Partial<FastifyError>): UploadFault | undefined => {
  if (['ENOSPC', 'EDQUOT', 'EROFS'].includes(fault.code ?? '') || faultOf(fault)?.kind === 'full')
    return { status: 503, error: ['磁盘空间不足，暂时不能上传', 'The disk is full'] }
  if (/^(Unexpected end|Malformed|Multipart|Premature)|aborted/.test(fault.message ?? ''))
    return { status: 400, error: ['表单不完整', 'The form is not whole'] }
  if (faultOf(fault)?.kind === 'unavailable')
    return { status: 503, error: ['数据库暂时不可用，请稍后重试', 'Try again shortly'] }
  const status = fault.statusCode ?? 500
  return status < 500 ? { status, error: ['无法识别的上传', 'Not a form upload'] } : undefined
}

/**
 * The local store: `POST /api/upload` with Qiniu's fields `token`, `key` (optional) and `file`;
 * answers `{ key, hash }`, or `{ error }` as Qiniu does.
 */
export const localStore = async (
  app: FastifyInstance,
  { store, folder, database }: { store: ImageStore; folder: string; database: Database },
): Promise<void> => {
  await mkdir(folder, { recursive: true })
  await app.register(async scope => {
    await scope.register(multipart, {
      limits: { fileSize: PICTURE_MAX_BYTES, files: 1, fields: 10, fieldSize: 4096, parts: 12 },
      throwFileSizeLimit: false,
    })
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      const fault = uploadFault(error)
      if (!fault) throw error
      const lang = langOf(request.headers['accept-language'])
      return reply.code(fault.status).send({ error: say(fault.error, lang) })
    })
    scope.post('/api/upload', { bodyLimit: PICTURE_MAX_BYTES + 65_536 }, async (request, reply) => {
      const lang = langOf(request.headers['accept-language'])
      const fail = (status: number, error: Text, values?: Record<string, string | number>) =>
        reply.code(status).send({ error: say(error, lang, values) })
      if (!request.isMultipart()) return fail(400, ['须以表单上传', 'Not a form upload'])
      const fields: Record<string, string> = {}
      let bytes: Buffer | undefined
      for await (const part of request.parts()) {
        if (part.type === 'field')
          fields[part.fieldname] = typeof part.value === 'string' ? part.value : ''
        else if (part.fieldname === 'file' && !bytes) {
          // The token stands before the file, so nobody without one is read from.
          if (!(await validPolicy(store, database, fields['token'])))
            return fail(401, ['上传凭证无效或已过期', 'Bad token'])
          bytes = await part.toBuffer()
          if (part.file.truncated) return fail(413, ...pictureTooBig)
        } else part.file.resume()
      }
      const policy = await validPolicy(store, database, fields['token'])
      if (!policy) return fail(401, ['上传凭证无效或已过期', 'Bad token'])
      if (!bytes) return fail(400, ['没有文件', 'No file'])
      const picture = await parseFile('picture', { file: bytes }).catch(refusalOnly)
      if (picture instanceof Refusal) return fail(picture.status, picture.text)
      if ('fault' in picture) return fail(403, ...picture.fault)
      const sha256 = createHash('sha256').update(picture.data).digest('hex')
      const prefix = policy.scope.slice(policy.scope.indexOf(':') + 1)
      // The name is ours: of the key asked for nothing is used, so it can't lead out of the folder
      // or over another picture.
      const key = `${prefix}${dateOf(unixNow())}/${sha256.slice(0, 40)}.${picture.format === 'jpeg' ? 'jpg' : picture.format}`
      const path = join(folder, key)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(`${path}.${request.id}.part`, picture.data, { flag: 'wx' })
      await rename(`${path}.${request.id}.part`, path)
      await database.db
        .insert(upload)
        .values({
          admin_id: policy.admin_id,
          file_key: key,
          mime: `image/${picture.format}`,
          size_bytes: picture.data.length,
          width: picture.width,
          height: picture.height,
          sharpness_x100: picture.sharpness_x100,
          sha256,
        })
        .onConflictDoNothing()
      return reply.send({
        key,
        hash: sha256.slice(0, 40),
        width: picture.width,
        height: picture.height,
        size: picture.data.length,
      })
    })
  })
}
