import { createHmac, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { setting } from '#src/areas/people/people.table.ts'
import { codeKeysIn, openKeyFile } from '#src/areas/secret/keyFile.server.ts'
import { openWecomPort, type WecomPort } from '#src/areas/wecom/port.server.ts'
import type { Install } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { usualLimits, type SessionLimits } from '#src/server/sessions/sessions.ts'
import { channelsOf } from './channels.ts'
import type { AppOptions } from './options.ts'
import { pictureOf, uploadTokenFor, type ImageStore } from './upload.ts'

/** The installation's own key, made once and shared by all processes on one database. */
const ownKey = async ({ db }: Database): Promise<Buffer> => {
  const kept = () => db.select().from(setting).where(eq(setting.key, 'sign_key'))
  // Read first: a start on a full disk writes nothing.
  let [row] = await kept()
  if (!row) {
    await db
      .insert(setting)
      .values({ key: 'sign_key', value: randomBytes(32).toString('base64') })
      .onConflictDoNothing({ target: setting.key })
    ;[row] = await kept()
  }
  return Buffer.from(String(row!.value), 'base64')
}
/** The file of code keys that an installation names, or that of its folder. */
const keysOf = ({ codeKeys, folder }: AppOptions) => openKeyFile(codeKeys ?? codeKeysIn(folder))
/** Session limits from the settings table, where an administrator may have changed them. */
export const limitsFrom = async ({ db }: Database): Promise<Partial<SessionLimits>> => {
  const [row] = await db.select().from(setting).where(eq(setting.key, 'session'))
  const { idle_s, absolute_s } = (row?.value ?? {}) as Partial<SessionLimits>
  return {
    ...(Number.isInteger(idle_s) && { idle_s: idle_s! }),
    ...(Number.isInteger(absolute_s) && { absolute_s: absolute_s! }),
  }
}

/** What calls are given of the installation, with its pictures' store and its way to WeCom. */
export const openInstall = async (
  options: AppOptions,
  heard: Parameters<typeof openWecomPort>[0]['heard'],
): Promise<{ install: Install; images: ImageStore; wecom: WecomPort }> => {
  const { database } = options
  const key = await ownKey(database)
  const keyed = (purpose: string) => createHmac('sha256', key).update(purpose).digest('base64url')
  const images = options.images ?? {
    access_key: 'local',
    secret_key: keyed('images'),
    bucket: 'local',
    domain: '/uploads',
    upload_url: '/api/upload',
  }
  const wecom = openWecomPort({ setup: options.wecom, database, keyed, heard })
  const install: Install = {
    ...channelsOf(options),
    wecom: wecom.client,
    gateways: options.gateways ?? { robot: null, mail: null, sms: null },
    codeKeys: keysOf(options),
    demo: options.demo ?? null,
    origin: options.origin,
    map: options.map ?? null,
    wechat: options.wechat ? { api: 'https://api.weixin.qq.com', ...options.wechat } : null,
    limits: { ...usualLimits, ...(await limitsFrom(database)), ...options.limits },
    sign: keyed,
    storesElsewhere: /^https?:/.test(images.upload_url),
    uploadToken: (of, now) => ({
      token: uploadTokenFor(images, of, now),
      domain: images.domain,
      upload_url: images.upload_url,
    }),
    picture: file_key =>
      pictureOf(options.images ? images.domain : join(options.folder, 'uploads'), file_key),
  }
  return { install, images, wecom }
}
