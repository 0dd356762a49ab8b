/** Materials are written, turned on and off, replaced and deleted. */
import { eq, isNull } from 'drizzle-orm'
import { upload } from '#src/areas/export/job.table.ts'
import { joinedNames, type Text } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { faultless } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { seesAll } from '#src/server/call/scope.ts'
import { sameContent } from '#src/server/call/versions.ts'
import { fittingFault } from './fitting.server.ts'
import { wecom_material as t, wecom_material_content } from './material.table.ts'
import {
  FILE_BYTES,
  materialCan,
  materialFaults,
  materialKinds,
  MATERIALS_MOST,
  mediaFileOf,
  TITLE_MOST,
  unsendable,
  unsendableBy,
  type MaterialBody,
  type MaterialVerb,
} from './material.ts'
import { materials, mediaOfMaterials, type Material } from './materials.server.ts'
import { wantMedia } from './media.server.ts'
import { lockHolders, retellTemplates, turnUses } from './replacing.server.ts'
import { usesOf, type MaterialUse } from './uses.server.ts'

export type MaterialInput = {
  title: string
  category: string
  valid_to_at: number | null
  body: MaterialBody
}
type One = { id: number; version: number }

/** A material goes out for everybody: others than headquarters change their own alone. */
const needOwn = ({ staff }: WriteContext, { owner_id }: Material): void => {
  if (!seesAll(staff.scope) && owner_id !== staff.id)
    throw ruled('not_yours', [
      '素材由他人维护，请联系其负责人或总部，或复制一份再改',
      'Somebody else keeps it: ask them or headquarters, or copy it first',
    ])
}
/** A file is an upload of ours, within what WeCom takes; a store elsewhere tells nothing of it. */
const fileFault = async (
  { tx, install }: WriteContext,
  of: Pick<MaterialInput, 'title' | 'body'>,
): Promise<Text | undefined> => {
  const file = mediaFileOf(of)
  if (!file || install.storesElsewhere) return undefined
  const [found] = await tx
    .select({ size: upload.size_bytes })
    .from(upload)
    .where(eq(upload.file_key, file.key))
  if (!found) return ['文件还没有上传，请重新上传', 'The file was not uploaded: upload it again']
  const most = FILE_BYTES[file.kind]
  const mb = most / 1024 / 1024
  return found.size > most
    ? [`文件超过 ${mb} MB，企业微信不接受`, `WeCom takes at most ${mb} MB`]
    : undefined
}
/** 400 where what is written is not what WeCom or the law takes, at its field. */
const needSound = async (context: WriteContext, of: MaterialInput): Promise<void> => {
  const { title, body } = materialFaults(of)
  const over = of.valid_to_at !== null && of.valid_to_at <= context.now
  faultless(context.staff, {
    title,
    body: body ?? (await fileFault(context, of)),
    valid_to_at: over ? ['有效期须晚于现在', 'It ends later than now'] : undefined,
  })
}
const columnsOf = ({ title, category, valid_to_at, body }: MaterialInput) => ({
  title,
  category,
  valid_to_at,
  body,
  kind: body.kind,
  file_key: mediaFileOf({ title, body })?.key ?? null,
})
const keepContent = ({ tx, staff, now }: WriteContext, { id, content_n, title, body }: Material) =>
  tx.insert(wecom_material_content).values({
    material_id: id,
    n: content_n,
    title,
    body,
    created_at: now,
    created_by: staff.id,
  })
/** WeCom is to have the file of what was written. */
const wantFile = async ({ tx, now, changed }: WriteContext, of: Material): Promise<void> => {
  const file = mediaFileOf(of)
  if (!file) return
  await wantMedia(tx, file, now)
  changed('wecom_media')
}
const add = async (context: WriteContext, input: MaterialInput): Promise<Material> => {
  if ((await context.tx.$count(t, isNull(t.gone_at))) >= MATERIALS_MOST)
    throw ruled(
      'materials_full',
      ['最多 {n} 个素材，请先删除不用的', 'At most {n} materials: delete some of no use first'],
      { n: MATERIALS_MOST },
    )
  const made = await materials.add(context, { ...columnsOf(input), owner_id: context.staff.id })
  await keepContent(context, made)
  await wantFile(context, made)
  return made
}
/** Makes a material as a draft, and lets WeCom have its file. */
export const createMaterial = async (context: WriteContext, input: MaterialInput) => {
  await needSound(context, input)
  return add(context, input)
}
type Held = { was: Material; uses: MaterialUse[] }
/** The material as the person holds it, with what carries it; nobody comes to carry it meanwhile. */
const heldWithUses = async (context: WriteContext, one: One): Promise<Held> => {
  await lockHolders(context.tx)
  const was = await materials.heldFast(context, one)
  needOwn(context, was)
  return { was, uses: (await usesOf(context.tx, [was.id])).get(was.id)! }
}
const heldFor = async (context: WriteContext, verb: MaterialVerb, one: One): Promise<Held> => {
  const held = await heldWithUses(context, one)
  const { tx, now } = context
  const media = (await mediaOfMaterials(tx, [held.was], now)).get(held.was.id)!
  const live_n = held.uses.filter(use => use.live).length
  const standing = { ...held.was, uses_n: held.uses.length, live_n, media: media.state }
  const may = materialCan(verb, standing, now)
  if (may !== true) throw ruled(`material_${verb}`, may)
  return held
}
/**
 * Changes a material: what it says now is a version of its own, what was sent keeps its own, and
 * messages that carry it say the new one from now on. It stays of its kind.
 */
export const editMaterial = async (
  context: WriteContext,
  { id, version, ...input }: MaterialInput & One,
) => {
  const { was, uses } = await heldWithUses(context, { id, version })
  faultless(context.staff, {
    body:
      input.body.kind === was.kind
        ? undefined
        : ['素材类型不能改变，请新建一个', 'A material keeps its kind: make another one'],
  })
  const { tx, now } = context
  faultless(context.staff, {
    body: await fittingFault(tx, { id, body: input.body, uses, now }),
  })
  const isSameEnd = input.valid_to_at === was.valid_to_at
  await needSound(context, isSameEnd ? { ...input, valid_to_at: null } : input)
  const isAnew = was.title !== input.title || !sameContent(was.body, input.body)
  const content_n = was.content_n + (isAnew ? 1 : 0)
  const after = await materials.save(context, was, { ...columnsOf(input), content_n })
  if (!isAnew) return after
  await keepContent(context, after)
  await wantFile(context, after)
  await retellTemplates(context, uses)
  if (uses.length > 0) context.changed('wecom_welcome')
  return after
}
const COPIED = ' 副本'
/** Makes a draft that says the same, kept by whoever copies it. */
export const copyMaterial = async (context: WriteContext, one: One) => {
  const { category, body, title } = await materials.held(context, one)
  const name = `${[...title].slice(0, TITLE_MOST - COPIED.length).join('')}${COPIED}`
  return add(context, { title: name, category, body, valid_to_at: null })
}
/** Puts materials into a category; those that are not the person's own are told of. */
export const moveMaterials = (
  context: WriteContext,
  { ids, category }: { ids: readonly number[]; category: string },
) =>
  eachRow(context, ids, async (inside, id) => {
    const was = await materials.lock(inside, id)
    needOwn(inside, was)
    if (was.category === category)
      throw ruled('same_category', ['已在这个分类', 'It is in this category'])
    await materials.save(inside, was, { category })
  })
export const enableMaterial = async (context: WriteContext, one: One) => {
  const { was } = await heldFor(context, 'enable', one)
  return materials.save(context, was, { status: 'enabled', off_reason: '' })
}
/** The material that is to stand in the place of another: of its kind, and one that can be sent. */
const standIn = async (context: WriteContext, was: Material, to: number): Promise<Material> => {
  const other = await materials.lock(context, to)
  const why = unsendableBy(other, context.now)
  faultless(context.staff, {
    replace_id:
      (other.id === was.id ? ['请选择另一个素材', 'Choose another material'] : undefined) ??
      (other.kind === was.kind
        ? undefined
        : [
            `请选择同类素材（${materialKinds[was.kind][0]}）`,
            `Choose one of its kind (${materialKinds[was.kind][1]})`,
          ]) ??
      (why && unsendable[why]),
  })
  return other
}
/** Turns all that carries a material to another one; messages of all malls do, so headquarters does. */
const replaceIn = async (context: WriteContext, { was, uses }: Held, to: number): Promise<void> => {
  if (uses.length > 0 && !seesAll(context.staff.scope))
    throw ruled('house_only', [
      '替换会改动各商场的消息，请由总部操作',
      'Messages of all malls change: headquarters replace it',
    ])
  const other = await standIn(context, was, to)
  const { tx, now } = context
  faultless(context.staff, {
    replace_id: await fittingFault(tx, { id: was.id, body: other.body, uses, now }),
  })
  await turnUses(context, uses, { from: was.id, to: other.id })
}
const namesOf = (uses: readonly MaterialUse[]): string =>
  joinedNames(uses.slice(0, 5).map(use => use.name))
const stillUsed = (rule: string, uses: readonly MaterialUse[]) =>
  ruled(
    rule,
    [
      '正在被 {n} 处使用：{names}；请选择替换素材，或先在其中移除',
      '{n} messages carry it: {names}; choose a material instead, or take it out of them first',
    ],
    { n: uses.length, names: namesOf(uses) },
  )
type Ending = One & { reason: string; replace_id?: number | undefined }
/** Turns a material off; what is sent as it stands turns to another one, or keeps it from that. */
export const disableMaterial = async (
  context: WriteContext,
  { reason, replace_id, ...one }: Ending,
) => {
  const held = await heldFor(context, 'disable', one)
  if (replace_id !== undefined) await replaceIn(context, held, replace_id)
  else {
    const live = held.uses.filter(use => use.live)
    if (live.length > 0) throw stillUsed('material_used', live)
  }
  return materials.save(context, held.was, { status: 'disabled', off_reason: reason }, reason)
}
/** Turns all that carries a material to another one of its kind; the material stays as it is. */
export const replaceMaterial = async (
  context: WriteContext,
  { replace_id, ...one }: One & { replace_id: number },
) => {
  const held = await heldFor(context, 'replace', one)
  await replaceIn(context, held, replace_id)
  const after = await materials.set(context, held.was, {})
  materials.log(context, after, {
    before: { uses: namesOf(held.uses) },
    after: { replaced_by: replace_id },
  })
  return { ...after, moved: held.uses.length }
}
/** Deletes a material that nothing carries any more; what was sent of it stays. */
export const deleteMaterial = async (
  context: WriteContext,
  { reason, replace_id, ...one }: Ending,
) => {
  const held = await heldFor(context, 'del', one)
  if (replace_id !== undefined) await replaceIn(context, held, replace_id)
  else if (held.uses.length > 0) throw stillUsed('material_used', held.uses)
  const { was } = held
  const { id } = await materials.set(context, was, { gone_at: context.now, status: 'disabled' })
  materials.log(context, was, { before: { title: was.title, kind: was.kind }, after: null, reason })
  return { id, deleted: true as const }
}
/** Wants the file of a material put into WeCom anew; the clock does it within seconds. */
export const refreshMaterial = async (context: WriteContext, one: One) => {
  const { was } = await heldFor(context, 'refreshMedia', one)
  await wantFile(context, was)
  materials.log(context, was, { before: null, after: { refreshed: was.file_key } })
  return { id: was.id, version: was.version }
}
