import { and, eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { wecom_material, wecom_material_content } from '#src/areas/wecomMaterial/material.table.ts'
import { MATERIALS_MOST } from '#src/areas/wecomMaterial/material.ts'
import { wecom_media } from '#src/areas/wecomMaterial/media.table.ts'
import type { Call } from '#src/contract/call.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { channelWelcome } from '#src/modules/channel/contract/welcome.ts'
import {
  customerMaterials as calls,
  type MaterialRow,
} from '#src/modules/customer/contract/material.ts'
import { PICTURE, materialDesk } from '../../help/materialDesk.ts'

const { desk, call, done, one, made, on, fresh, written } = materialDesk()

describe('the list', () => {
  it('finds by any part of a name, by one sign, by a category where one is picked, and by number', async () => {
    const category = fresh('拣')
    const title = fresh('Ｑ3 蒜香・烤鱼50%')
    const id = await on({ title, category })
    const found = async (what: Call, keyword: string): Promise<number[]> =>
      (await done(what, { keyword, page: 1, pageSize: 50 })).list.map((of: { id: number }) => of.id)
    for (const part of ['烤鱼', '鱼', 'Ｑ3 蒜', '・烤', '50%', '%', String(id)])
      expect(await found(calls.lst, part), part).toContain(id)
    for (const part of ['鱼烤', '蒜烤', '香 烤', category])
      expect(await found(calls.lst, part), part).not.toContain(id)
    for (const part of ['烤鱼', category, '拣', String(id)])
      expect(await found(channelWelcome.materials, part), part).toContain(id)
    await done(calls.edit, { ...(await one(id)), ...written({ title: '清蒸', category }) })
    expect(await found(calls.lst, '清蒸')).toContain(id)
    expect(await found(calls.lst, '烤鱼')).not.toContain(id)
  })
  it('tells of a file by what it is sent as: a picture may be in WeCom, and not as a file', async () => {
    const category = fresh('图')
    const picture = await on({ category, body: { kind: 'image', key: PICTURE } })
    const file = await on({ category, body: { kind: 'file', key: PICTURE } })
    await desk.database.db
      .update(wecom_media)
      .set({ media_id: 'there', expire_at: unixNow() + DAY, error: '', errcode: 0 })
      .where(and(eq(wecom_media.file_key, PICTURE), eq(wecom_media.kind, 'image')))
    const by = async (media: string): Promise<number[]> =>
      (await done(calls.lst, { category, media })).list.map((of: MaterialRow) => of.id)
    expect([await by('valid'), await by('absent'), await by('none')]).toEqual([
      [picture],
      [file],
      [],
    ])
  })
  it('is full of what is in it, and not of what was deleted', async () => {
    const filled = await desk.database.db.execute(
      sql`insert into wecom_material (kind, title, category, body, owner_id)
        select 'link', '满' || n, '满库', '{"kind":"link"}', ${desk.me.id}
        from generate_series(1, ${MATERIALS_MOST}::int) n returning id`,
    )
    expect(filled.rows).toHaveLength(MATERIALS_MOST)
    expect((await call(calls.create, written())).data.rule).toBe('materials_full')
    await desk.database.db
      .update(wecom_material)
      .set({ gone_at: unixNow() })
      .where(eq(wecom_material.category, '满库'))
    await made()
    await desk.database.db.delete(wecom_material).where(eq(wecom_material.category, '满库'))
  })
  it('filters, counts and exports', async () => {
    const category = fresh('类')
    const id = await on({ category })
    const told = await done(calls.lst, { category })
    expect(told.list.map((of: MaterialRow) => of.id)).toEqual([id])
    expect(told.stat).toEqual({ enabled: 1 })
    expect(told.categories).toContain(category)
    for (const filter of [{ used: true }, { used: false }, { over: true }, { kind: 'video' }])
      expect((await call(calls.lst, filter)).status).toBe(200)
    for (const media of ['none', 'absent', 'valid', 'expired', 'failed'])
      expect((await call(calls.lst, { media })).status, media).toBe(200)
    const begun = await done(calls.export, { category, format: 'csv' })
    expect(begun.rows_expected).toBe(1)
  })
  it('takes the wildest input without a fault of ours', async () => {
    const wild = ['\u0000', '\ud800', '%'.repeat(30), `'"\\`]
    for (const keyword of wild)
      expect((await call(calls.lst, { keyword })).status).toBeLessThan(500)
    for (const id of [0, -1, 2 ** 31, 2 ** 53])
      expect((await call(calls.preview, { id })).status).toBeLessThan(500)
    for (const title of wild)
      expect((await call(calls.create, written({ title }))).status).toBeLessThan(500)
    const ends = [0, 4_102_444_800, 2 ** 53]
    for (const valid_to_at of ends)
      expect((await call(calls.create, written({ valid_to_at }))).status).toBeLessThan(500)
  })
  it('keeps what was said of every version in the demo', async () => {
    const rows = await desk.database.db.select().from(wecom_material)
    const contents = await desk.database.db.select().from(wecom_material_content)
    for (const { id, content_n } of rows)
      expect(contents.filter(of => of.material_id === id).length, `#${id}`).toBe(content_n)
  })
})
