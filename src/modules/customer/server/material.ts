import { and, isNull } from 'drizzle-orm'
import { to } from '#commands/command.ts'
import { materialPage as page } from '#commands/pages/customer.ts'
import { figuresOfAdvisers } from '#src/areas/wecomMaterial/figures.server.ts'
import { wecom_material } from '#src/areas/wecomMaterial/material.table.ts'
import {
  holderKinds,
  materialKinds,
  materialStates,
  mediaStates,
  notAdvisers,
  pieceOf,
  unsendable,
  unsendableBy,
} from '#src/areas/wecomMaterial/material.ts'
import {
  countMaterials,
  materialList,
  materials,
  materialSheet,
  materialsWhere,
  mediaOfMaterials,
  pickMaterials,
  versionsOf,
  writtenOfMaterial,
  type MaterialFilters,
} from '#src/areas/wecomMaterial/materials.server.ts'
import { renewWanted } from '#src/areas/wecomMaterial/media.server.ts'
import { namesOfFiles } from '#src/areas/wecomMaterial/sending.server.ts'
import {
  copyMaterial,
  createMaterial,
  deleteMaterial,
  disableMaterial,
  editMaterial,
  enableMaterial,
  moveMaterials,
  refreshMaterial,
  replaceMaterial,
} from '#src/areas/wecomMaterial/writing.server.ts'
import { comma, saidIn, say, semicolon } from '#src/domain/text.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { exporting, reverting } from '#src/server/call/record.ts'
import { way } from '#src/server/call/reverts.ts'
import { countTodo, defineTodo } from '#src/server/call/todos.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { customerMaterials as contract } from '../contract/material.ts'

/** How a material looks in the chat now, and what would keep it from being sent. */
const preview = async ({ id }: { id: number }, { tx, staff, now }: WriteContext) => {
  const row = await materials.read(tx, staff, id)
  const media = (await mediaOfMaterials(tx, [row], now)).get(id)!
  const piece = pieceOf(row)
  const why = unsendableBy(row, now)
  return {
    title: row.title,
    n: row.content_n,
    text: row.body.kind === 'text' ? row.body.text : '',
    pieces: piece ? [piece] : [],
    problems: [
      ...(why ? [say(unsendable[why], staff.lang)] : []),
      ...(media.state === 'failed'
        ? [`${say(mediaStates.failed, staff.lang)}: ${saidIn(media.error, staff.lang)}`]
        : []),
    ],
  }
}
const handlers = {
  lst: async (asked, context) => {
    const {
      page: at,
      pageSize,
      ...filters
    } = asked as MaterialFilters & {
      page: number
      pageSize: number
    }
    return {
      ...(await materialList.page({ page: at, pageSize, ...filters }, context)),
      ...(await countMaterials(context.db, filters, context.now)),
    }
  },
  versions: async ({ id }, { db, staff }) => {
    await materials.read(db, staff, id)
    const advisers = await figuresOfAdvisers(db, [id])
    return { list: await versionsOf(db, id), advisers: advisers.get(id)! }
  },
  others: async ({ id, ...asked }, context) => {
    const { kind } = await materials.read(context.db, context.staff, id)
    return pickMaterials({ ...asked, kinds: [kind], but: id }, context)
  },
  create: (input, context) => createMaterial(context, input),
  edit: (input, context) => editMaterial(context, input),
  copy: (one, context) => copyMaterial(context, one),
  move: (asked, context) => moveMaterials(context, asked),
  enable: (one, context) => enableMaterial(context, one),
  disable: (asked, context) => disableMaterial(context, asked),
  replace: (asked, context) => replaceMaterial(context, asked),
  refreshMedia: (one, context) => refreshMaterial(context, one),
  preview,
  del: (asked, context) => deleteMaterial(context, asked),
  export: exporting(materialSheet, {
    page: 'customer.material',
    title: ['企微素材使用数据', 'What came of materials'],
    permit: contract.export.permit,
    columns: [
      { key: 'id', title: ['编号', 'ID'], kind: 'number' },
      { key: 'title', title: ['名称', 'Name'] },
      { key: 'kind', title: ['类型', 'Kind'] },
      { key: 'category', title: ['分类', 'Category'] },
      { key: 'n', title: ['版本', 'Version'], kind: 'number' },
      { key: 'uses', title: ['使用位置', 'Used by'] },
      { key: 'sends', title: ['发送人次', 'Sends'], kind: 'number' },
      { key: 'clickers', title: ['点击人次', 'Clicked'], kind: 'number' },
      { key: 'opens', title: ['打开次数', 'Opens'], kind: 'number' },
      { key: 'advisers', title: ['各成员打开次数', 'Openings by adviser'] },
      { key: 'orders', title: ['7 日转化订单', 'Orders in 7 days'], kind: 'number' },
      { key: 'media', title: ['媒体凭证', 'File in WeCom'] },
      { key: 'expire_at', title: ['凭证到期', 'Until'], kind: 'time' },
      { key: 'valid_to_at', title: ['有效期至', 'Valid until'], kind: 'time' },
      { key: 'owner', title: ['负责人', 'Owner'] },
      { key: 'status', title: ['状态', 'State'] },
    ],
    words: ({ keyword, kind, category, status }, lang) => [
      status && say(materialStates[status], lang),
      kind && say(materialKinds[kind], lang),
      category,
      keyword,
    ],
    cells: (row, { lang }) => ({
      id: row.id,
      title: row.title,
      kind: say(materialKinds[row.kind], lang),
      category: row.category,
      n: row.content_n,
      uses: row.uses
        .map(use => `${say(holderKinds[use.holder], lang)} ${use.name}`)
        .join(say(semicolon, lang)),
      sends: row.sends,
      clickers: row.clickers,
      opens: row.opens,
      advisers: row.advisers
        .filter(one => one.opens > 0)
        .map(one => `${one.name || say(notAdvisers, lang)} ${one.opens}`)
        .join(say(comma, lang)),
      orders: row.orders,
      media: say(mediaStates[row.media.state], lang),
      expire_at: row.media.expire_at,
      valid_to_at: row.valid_to_at,
      owner: row.owner,
      status: say(materialStates[row.status], lang),
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

// What a material says may have gone out: that is not taken back, but written anew.
const kept = writtenOfMaterial.filter(key => key !== 'body')
reverting(materials, [
  way(
    contract.edit,
    handlers.edit,
    kept,
    old =>
      ({
        id: old['id'],
        version: old['version'],
        body: old['body'],
        ...Object.fromEntries(kept.map(key => [key, old[key] ?? null])),
      }) as never,
  ),
])
export const materialServer = implement(contract, handlers)

defineTodo({
  key: 'material_media',
  title: ['企微素材刷新失败', 'Materials that WeCom does not have'],
  permit: contract.lst.permit,
  target: () => to(page, { media: 'failed', status: 'enabled' }),
  count: ({ db, now }) =>
    countTodo(
      db,
      wecom_material,
      and(
        isNull(wecom_material.gone_at),
        materialsWhere({ media: 'failed', status: 'enabled' }, { now }),
      ),
      { since: wecom_material.updated_at },
    ),
  beside: to(page),
})

/** Files that people want in WeCom anew are put there within seconds. */
defineTimer(
  'wecom.media',
  '* * * * *',
  async ({ database: { db }, install, now }) => {
    const around = { db, client: install.wecom, picture: install.picture, now }
    return (await renewWanted(around, keys => namesOfFiles(db, keys))) > 0
      ? ['wecom_media', 'wecom_welcome_send']
      : []
  },
  ['wecom_media'],
)
