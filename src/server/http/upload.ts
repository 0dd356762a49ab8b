import { createHash, createHmac } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import multipart from '@fastify/multipart'
import type { FastifyError, FastifyInstance } from 'fastify'
import { upload } from '#src/areas/export/job.table.ts'
import {
  attachedFault,
  attachedMimes,
  attachedMost,
  attachedTooBig,
  extensionOf,
  mimeOf,
  type AttachedKind,
} from '#src/domain/attached.ts'
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
/** Where files of a kind lie; the folder of a token says what it is for. */
const folders = { picture: 'img', video: 'video', file: 'file' } as const

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
 * only, files of one kind only, ten minutes.
 */
export const uploadTokenFor = (
  store: ImageStore,
  {
    staff_id,
    session_id,
    of,
  }: { staff_id: number; session_id: number; of: 'picture' | AttachedKind },
  now: number,
): string => {
  const policy: Policy = {
    scope: `${store.bucket}:${folders[of]}/${staff_id}/`,
    isPrefixalScope: 1,
    insertOnly: 1,
    deadline: now + TOKEN_LIVES_S,
    fsizeLimit: of === 'picture' ? PICTURE_MAX_BYTES : attachedMost[of],
    mimeLimit: of === 'picture' ? 'image/jpeg;image/png;image/webp' : attachedMimes[of],
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

const kindOf = (prefix: string): 'picture' | AttachedKind => {
  const [folder] = prefix.split('/')
  return folder === 'video' || folder === 'file' ? folder : 'picture'
}
type Taken = {
  data: Uint8Array
  mime: string
  extension: string
  width: number | null
  height: number | null
  sharpness_x100: number | null
}
type NotTaken = {
  status: number
  fault: readonly [Text, Readonly<Record<string, string | number>>]
}
/** What is stored of the bytes that came: a picture drawn anew, any other file as it is. */
const takenAs = async (
  kind: 'picture' | AttachedKind,
  { bytes, called, isCut }: { bytes: Buffer; called: string; isCut: boolean },
): Promise<Taken | NotTaken | Refusal> => {
  if (kind !== 'picture') {
    if (isCut || bytes.length > attachedMost[kind])
      return { status: 413, fault: attachedTooBig(kind) }
    const fault = attachedFault(kind, bytes, called)
    if (fault) return { status: 403, fault }
    const extension = kind === 'video' ? 'mp4' : extensionOf(called)
    const unseen = { width: null, height: null, sharpness_x100: null }
    return { data: bytes, mime: mimeOf(extension), extension, ...unseen }
  }
  if (isCut || bytes.length > PICTURE_MAX_BYTES) return { status: 413, fault: pictureTooBig }
  const picture = await parseFile('picture', { file: bytes }).catch(refusalOnly)
  if (picture instanceof Refusal) return picture
  if ('fault' in picture) return { status: 403, fault: picture.fault }
  const { format, ...drawn } = picture
  return { ...drawn, mime: `image/${format}`, extension: format === 'jpeg' ? 'jpg' : format }
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
      limits: { fileSize: attachedMost.file, files: 1, fields: 10, fieldSize: 4096, parts: 12 },
      throwFileSizeLimit: false,
    })
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      const fault = uploadFault(error)
      if (!fault) throw error
      const lang = langOf(request.headers['accept-language'])
      return reply.code(fault.status).send({ error: say(fault.error, lang) })
    })
    scope.post('/api/upload', { bodyLimit: attachedMost.file + 65_536 }, async (request, reply) => {
      const lang = langOf(request.headers['accept-language'])
      const fail = (status: number, error: Text, values?: Record<string, string | number>) =>
        reply.code(status).send({ error: say(error, lang, values) })
      if (!request.isMultipart()) return fail(400, ['须以表单上传', 'Not a form upload'])
      const fields: Record<string, string> = {}
      let bytes: Buffer | undefined
      let called = ''
      let isCut = false
      for await (const part of request.parts()) {
        if (part.type === 'field')
          fields[part.fieldname] = typeof part.value === 'string' ? part.value : ''
        else if (part.fieldname === 'file' && !bytes) {
          // The token stands before the file, so nobody without one is read from.
          if (!(await validPolicy(store, database, fields['token'])))
            return fail(401, ['上传凭证无效或已过期', 'Bad token'])
          bytes = await part.toBuffer()
          called = part.filename ?? ''
          isCut = part.file.truncated
        } else part.file.resume()
      }
      const policy = await validPolicy(store, database, fields['token'])
      if (!policy) return fail(401, ['上传凭证无效或已过期', 'Bad token'])
      if (!bytes) return fail(400, ['没有文件', 'No file'])
      const prefix = policy.scope.slice(policy.scope.indexOf(':') + 1)
      const taken = await takenAs(kindOf(prefix), { bytes, called, isCut })
      if (taken instanceof Refusal) return fail(taken.status, taken.text)
      if ('fault' in taken) return fail(taken.status, ...taken.fault)
      const { extension, ...file } = taken
      const sha256 = createHash('sha256').update(file.data).digest('hex')
      // The name is ours: of the key asked for nothing is used, so it can't lead out of the folder
      // or over another file.
      const key = `${prefix}${dateOf(unixNow())}/${sha256.slice(0, 40)}.${extension}`
      const path = join(folder, key)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(`${path}.${request.id}.part`, file.data, { flag: 'wx' })
      await rename(`${path}.${request.id}.part`, path)
      await database.db
        .insert(upload)
        .values({
          admin_id: policy.admin_id,
          file_key: key,
          mime: file.mime,
          size_bytes: file.data.length,
          width: file.width,
          height: file.height,
          sharpness_x100: file.sharpness_x100,
          sha256,
        })
        .onConflictDoNothing()
      return reply.send({
        key,
        hash: sha256.slice(0, 40),
        width: file.width,
        height: file.height,
        size: file.data.length,
      })
    })
  })
}
