import { page_link } from '#src/areas/content/content.table.ts'
import { notify_group } from '#src/areas/notice/duty.table.ts'
import { heldBy, slaFault, USUAL_SLA } from '#src/areas/service/issueCate.ts'
import {
  catePlaces,
  inUse,
  isOn,
  issueCates as cates,
  issueTree as nodes,
  keepsFallback,
  listedCates,
  ownAtTop,
  sameSide,
} from '#src/areas/service/issueCates.server.ts'
import type { issue_cate } from '#src/areas/service/service.table.ts'
import type { Tree } from '#src/domain/tree.ts'
import { implement, type Handler } from '#src/server/call/implement.ts'
import { faultless, reverting, turning } from '#src/server/call/record.ts'
import { invalid, ruled } from '#src/server/call/refuse.ts'
import { inputOf, way } from '#src/server/call/reverts.ts'
import { moveWay } from '#src/server/call/tree.ts'
import { issueCate as contract } from '../contract/issueCate.ts'

type Row = typeof issue_cate.$inferSelect
const changed = (tree: Tree<Row>, id: number, values: Partial<Row>): Row[] =>
  tree.rows.map(row => (row.id === id ? { ...row, ...values } : row))
const without = (tree: Tree<Row>, id: number): Row[] => tree.rows.filter(row => row.id !== id)

const handlers = {
  lst: async (_, { db, now }) => ({ list: await listedCates(db, now) }),
  groups: (asked, { db }) => inUse(db, notify_group, asked),
  articles: (asked, { db }) => inUse(db, page_link, asked),
  places: (asked, { db, staff }) => catePlaces(db, asked, staff.lang),
  create: async ({ parent_id, side, ...fields }, context) => {
    const tree = await nodes.locked(context.tx)
    const above = tree.row(parent_id ?? null)
    if (parent_id === undefined && side === undefined)
      throw invalid({ side: ['请选择由谁提出', 'Say whose issues they are'] })
    return nodes.add(context, tree, {
      ...fields,
      parent_id: parent_id ?? null,
      side: above?.side ?? side ?? 'member',
      ...(parent_id === undefined && USUAL_SLA),
    })
  },
  edit: async ({ id, version, ...fields }, context) => {
    const held = await nodes.held(context, { id, version })
    nodes.named(held, fields.name)
    keepsFallback(held.tree, changed(held.tree, id, fields))
    return cates.save(context, held.row, fields)
  },
  move: async ({ id, version, parent_id = null, sort }, context) => {
    const held = await nodes.held(context, { id, version })
    const { row, tree } = held
    sameSide(row, tree.row(parent_id))
    keepsFallback(tree, changed(tree, id, { parent_id }))
    const own = parent_id === null && row.parent_id !== null ? ownAtTop(tree, row) : {}
    return nodes.place(context, held, { parent_id, sort, also: own })
  },
  setHandler: async ({ group_id, ...one }, context) => {
    const { row } = await nodes.held(context, one)
    if (group_id !== undefined && !(await isOn(context.tx, notify_group, group_id)))
      throw invalid({ group_id: ['处理组不存在或已停用', 'The group is gone or disabled'] })
    return cates.save(context, row, { handler_group_id: group_id ?? null })
  },
  setSla: async ({ first_hours, finish_hours, ...one }, context) => {
    const { row } = await nodes.held(context, one)
    const [first_h, finish_h] = [first_hours ?? null, finish_hours ?? null]
    faultless(context.staff, {
      finish_hours:
        slaFault(first_h, finish_h) ??
        (first_h === null && row.parent_id === null
          ? ['最上级没有可沿用的时限，请填写', 'At the top there are none to take over: say them']
          : undefined),
    })
    return cates.save(context, row, { first_h, finish_h })
  },
  setAutoReply: async ({ text, ...one }, context) =>
    cates.save(context, (await nodes.held(context, one)).row, { auto_reply: text }),
  setArticle: async ({ article_id, ...one }, context) => {
    const { row } = await nodes.held(context, one)
    if (article_id !== undefined && !(await isOn(context.tx, page_link, article_id)))
      throw invalid({ article_id: ['文章不存在或已停用', 'The article is gone or disabled'] })
    return cates.save(context, row, { article_id: article_id ?? null })
  },
  enable: async (one, context) => {
    const row = await turning(
      nodes.held(context, one).then(held => held.row),
      'on',
    )
    return cates.save(context, row, { status: 'on' })
  },
  disable: async ({ reason, ...one }, context) => {
    const held = await nodes.held(context, one)
    const row = await turning(Promise.resolve(held.row), 'off')
    keepsFallback(held.tree, changed(held.tree, row.id, { status: 'off' }))
    return cates.save(context, row, { status: 'off' }, reason)
  },
  mergeInto: async ({ target_id, reason, ...one }, context) => {
    const held = await nodes.held(context, one)
    const { row, tree } = held
    const target = tree.row(target_id)
    sameSide(row, target)
    if (target && !heldBy(tree, target_id).open)
      throw ruled('target_off', ['目标已停用，请先启用', 'The target is disabled: enable it first'])
    keepsFallback(
      tree,
      without(tree, row.id).map(each =>
        each.parent_id === row.id ? { ...each, parent_id: target_id } : each,
      ),
    )
    return nodes.merge(context, held, { target_id, reason, gone: { status: 'off' } })
  },
  del: async (one, context) => {
    const held = await nodes.held(context, one)
    keepsFallback(held.tree, without(held.tree, held.row.id))
    return nodes.remove(context, held)
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

reverting(cates, [
  way(contract.edit, handlers.edit, ['name', 'fallback']),
  moveWay(contract.move, handlers.move),
  way(
    contract.setHandler,
    handlers.setHandler,
    ['handler_group_id'],
    inputOf({ group_id: 'handler_group_id' }),
  ),
  way(
    contract.setSla,
    handlers.setSla,
    ['first_h', 'finish_h'],
    inputOf({ first_hours: 'first_h', finish_hours: 'finish_h' }),
  ),
  way(
    contract.setAutoReply,
    handlers.setAutoReply,
    ['auto_reply'],
    inputOf({ text: 'auto_reply' }),
  ),
  way(
    contract.setArticle,
    handlers.setArticle,
    ['article_id'],
    inputOf({ article_id: 'article_id' }),
  ),
])

export const issueCateServer = implement(contract, handlers)
