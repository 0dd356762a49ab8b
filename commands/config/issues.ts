import { issueSides, SLA_MAX_H, slaFault } from '#src/areas/service/issueCate.ts'
import { issueCate as calls, issueCateRow } from '#src/modules/config/contract/issueCate.ts'
import { ask } from '../command.ts'
import { issueCates } from '../pages/config.ts'
import { asking, createAction, formOf, rowActions } from '../record.ts'
import { askParent, treeActions } from '../tree.ts'

const asks = {
  name: ask.text({ label: ['名称', 'Name'], max: 32 }),
  fallback: ask.flag({
    label: ['兜底分类', 'For what is left'],
    hint: ['归不进其他分类的工单放在这里', 'Takes tickets that fit nowhere else'],
  }),
}
const asAbove = ['留空沿用上级', 'Empty: as the one above'] as const
const row = rowActions(issueCates, issueCateRow)
const hours = ask.number
export const issueActions = {
  create: createAction(
    calls.create,
    ['新增分类', 'New category'],
    issueCates,
    formOf(
      {
        parent: askParent(calls),
        side: ask.choice({
          label: ['由谁提出', 'From'],
          options: issueSides,
          shown: ({ parent }) => parent === undefined,
        }),
        ...asks,
      },
      ({ parent, side, name, fallback }) =>
        parent ? { parent_id: parent, name, fallback } : { side, name, fallback },
    ),
  ),
  edit: row.edit(
    calls.edit,
    ['编辑分类', 'Edit category'],
    formOf(asks, ({ name, fallback }) => ({ name, fallback })),
    { main: true },
  ),
  setHandler: row.row(calls.setHandler, ['设置处理组', 'Set handling group'], {
    key: 'a',
    asks: {
      group: ask.entity({
        label: ['处理组', 'Group'],
        find: calls.groups,
        labelOf: ({ name }: { name: string }) => name,
        field: 'handler_group_id',
        optional: true,
        hint: asAbove,
        initial: rows => rows[0]?.own_group_id ?? undefined,
        named: rows => rows[0]?.group_name,
      }),
    },
    input: asking(({ group }) => (group ? { group_id: group } : {})),
  }),
  setSla: row.row(calls.setSla, ['设置时限', 'Set the times'], {
    key: 't',
    asks: {
      first: hours({
        label: ['首次响应（小时）', 'First answer, hours'],
        min: 1,
        max: SLA_MAX_H,
        optional: true,
        field: 'first_h',
        hint: ['留空沿用上级；只影响之后的工单', 'Empty: as above; for later tickets'],
        initial: rows => (rows[0]?.own_sla ? rows[0].first_h : undefined),
      }),
      finish: hours({
        label: ['办结（小时）', 'Finished, hours'],
        min: 1,
        max: SLA_MAX_H,
        optional: true,
        field: 'finish_h',
        initial: rows => (rows[0]?.own_sla ? rows[0].finish_h : undefined),
        check: (finish, { first }: { first?: number }) => slaFault(first ?? null, finish),
      }),
    },
    input: asking(({ first, finish }) => ({
      ...(first && { first_hours: first }),
      ...(finish && { finish_hours: finish }),
    })),
  }),
  setAutoReply: row.row(calls.setAutoReply, ['设置自动回复', 'Set the automatic answer'], {
    key: 'r',
    asks: {
      text: ask.text({
        label: ['自动回复', 'Auto-reply'],
        max: 500,
        lines: 4,
        optional: true,
        field: 'auto_reply',
        hint: ['提交后立即发给对方；留空不发', 'Sent at once; empty: nothing is sent'],
        initial: rows => rows[0]?.auto_reply,
      }),
    },
    input: asking(({ text }) => ({ text: text ?? '' })),
  }),
  setArticle: row.row(calls.setArticle, ['关联帮助文章', 'Link a help article'], {
    key: 'l',
    asks: {
      article: ask.entity({
        label: ['帮助文章', 'Article'],
        find: calls.articles,
        labelOf: ({ name }: { name: string }) => name,
        field: 'article_id',
        optional: true,
        hint: ['选平台页面；留空取消关联', 'A page of the platform; empty: none'],
        initial: rows => rows[0]?.article_id ?? undefined,
        named: rows => rows[0]?.article_name,
      }),
    },
    input: asking(({ article }) => (article ? { article_id: article } : {})),
  }),
  enable: row.enable(calls.enable),
  disable: row.disable(calls.disable),
  ...treeActions(row, calls, {
    tells: ([of]) => [
      [
        '将移走 {n} 张工单、{m} 个下级；原分类停用，旧工单仍可查到原分类',
        '{n} tickets and {m} children move; the category closes, and its tickets still name it',
      ],
      { n: of!.tickets, m: of!.children },
    ],
    mayDelete: ({ children, tickets_all }) => {
      if (children > 0) return ['还有下级，不能删除', 'Others stand under it']
      return (
        tickets_all === 0 || ['已有工单使用，请合并或停用', 'Tickets use it: merge or disable it']
      )
    },
  }),
}
