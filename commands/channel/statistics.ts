import { DAY, dateOf, unixNow } from '#src/domain/time.ts'
import {
  codeCustomer,
  statDetail,
  type CodeCustomer,
} from '#src/modules/channel/contract/statDetail.ts'
import {
  channelStatistics as calls,
  channelStatRow,
  type ChannelStatRow,
} from '#src/modules/channel/contract/statistics.ts'
import { action, ask, to } from '../command.ts'
import { statDetailPage, statisticsPage as at } from '../pages/channel.ts'
import { customersPage } from '../pages/vip.ts'
import { exportAction, pageAction, reason } from '../record.ts'

const isCode = (row: ChannelStatRow) =>
  row.code_id !== null ||
  (['请在“按活码”维度选择一个活码', 'Choose a code in the view by code'] as const)
const cost = {
  day: ask.text({
    label: ['日期', 'Day'],
    max: 10,
    initial: () => dateOf(unixNow()),
    hint: ['如 2026-03-01；同一天再次录入会覆盖', 'Such as 2026-03-01; a later entry replaces it'],
  }),
  amount: ask.money({
    label: ['成本', 'Cost'],
    min: 0,
    max: 1_000_000_000,
    field: 'day_cost_cents',
  }),
}
const on = { at, on: channelStatRow, takes: 'row' as const, when: isCode }
/** What is done with figures of channels: compared, opened finer, given costs, counted anew. */
export const statisticsActions = {
  drill: action<unknown, unknown, ChannelStatRow>('channel.statistics.drill', {
    ...on,
    title: '查看单码',
    en: 'Open the code',
    key: 'd',
    main: true,
    permit: statDetailPage.permit,
    to: ([row]) => to(statDetailPage, { code_id: row!.code_id!, from: row!.from, to: row!.to - 1 }),
  }),
  compare: pageAction('channel.statistics.compare', ['对比区间', 'Compare ranges'], at, {
    key: 'o',
    main: 'plain',
    permit: at.permit,
    asks: {
      from: ask.time({
        label: ['对比区间的开始', 'The other range begins'],
        optional: true,
        hint: ['留空为上一个等长区间；再次执行取消对比', 'Empty: the range before'],
      }),
    },
  }),
  setCost: action(calls.setCost, {
    ...on,
    title: '录入渠道成本',
    en: 'Enter a cost',
    key: 'm',
    main: 'plain',
    asks: cost,
    input: ([row]: readonly ChannelStatRow[], { day, amount }) => ({
      code_id: row!.code_id!,
      day,
      cost_cents: amount,
    }),
  }),
  setClosedCost: action(calls.setClosedCost, {
    ...on,
    title: '补录往月成本',
    en: 'Enter a cost of a closed month',
    key: 'shift+m',
    asks: { ...cost, reason },
    input: ([row]: readonly ChannelStatRow[], { day, amount, reason: why }) => ({
      code_id: row!.code_id!,
      day,
      cost_cents: amount,
      reason: why,
    }),
  }),
  rebuild: pageAction(calls.rebuild, ['重算统计', 'Recalculate'], at, {
    key: 'shift+r',
    asks: {
      from: ask.time({ label: ['从', 'From'], initial: () => unixNow() - 7 * DAY }),
      to: ask.time({
        label: ['到', 'To'],
        initial: () => unixNow(),
        hint: ['一次最多 92 天；重算不改变明细', '92 days at most; what is counted stays'],
      }),
    },
    input: (_, { from, to: end }) => ({ from: from!, to: end! }),
  }),
  export: exportAction(calls.export, ['导出渠道报表', 'Export statistics'], at),
}
/** What is done beside the figures of one code. */
export const statDetailActions = {
  openCustomer: action<unknown, unknown, CodeCustomer>('channel.statistics.detail.openCustomer', {
    title: '查看客户',
    en: 'Open the customer',
    key: 'o',
    at: statDetailPage,
    on: codeCustomer,
    takes: 'row',
    main: true,
    permit: customersPage.permit,
    to: ([row]) => to(customersPage, { id: row!.customer_id }),
  }),
  markEvent: pageAction(
    'channel.statistics.detail.markDay',
    ['标注事件', 'Mark an event'],
    statDetailPage,
    {
      key: 'm',
      main: 'plain',
      permit: statDetail.markEvent.permit,
      asks: {
        day: ask.text({ label: ['日期', 'Day'], max: 10, initial: () => dateOf(unixNow()) }),
        text: ask.text({
          label: ['发生了什么', 'What happened'],
          max: 60,
          field: 'note',
          hint: ['如“换了台卡位置”“周末增派顾问”', 'Such as “the card was moved”'],
        }),
      },
    },
  ),
  compareCode: pageAction(
    'channel.statistics.detail.compareCode',
    ['与另一活码对比', 'Compare with a code'],
    statDetailPage,
    {
      key: 'b',
      main: 'plain',
      permit: statDetailPage.permit,
      asks: {
        other: ask.entity({
          label: ['活码', 'Code'],
          find: calls.codes,
          labelOf: (of: { name: string }) => of.name,
          optional: true,
          hint: ['留空则取消对比', 'Empty: no comparison'],
        }),
      },
    },
  ),
  export: exportAction(statDetail.export, ['导出客户明细', 'Export customers'], statDetailPage),
}
