import {
  BADGE_WIDTH,
  badgeFault,
  entryCan,
  entryPositions,
  TITLE_WIDTH,
  titleFault,
  type EntryPosition,
  type EntryVerb,
} from '#src/areas/entryIcon/entryIcon.ts'
import { joinedNames, type Text } from '#src/domain/text.ts'
import { DAY, dayStart, unixNow } from '#src/domain/time.ts'
import {
  entry as calls,
  entryRow,
  schemeRow,
  type EntryRow,
  type SchemeRow,
} from '#src/modules/config/contract/entry.ts'
import { action, ask, inAll } from '../command.ts'
import { entries } from '../pages/config.ts'
import { citiesAsk, cityAsk } from '../places.ts'
import { asking, formOf, one, pageAction, reason, rowActions } from '../record.ts'
import { linkAsks, linked } from '../system/link.ts'
import { cityPages, designerOf } from './designPages.ts'

/** What the page gives its actions of the place in sight. */
export type EntryGiven = {
  city_id: number
  city_name: string
  position: EntryPosition
  /** What the place is called. */
  name: string
}
const row = rowActions(entries, entryRow)
const isEntry = (of: EntryRow): true | Text =>
  'position' in of || ['请在左侧选择入口', 'Choose an entry']
const isScheme = (of: SchemeRow): true | Text =>
  'live_no' in of || ['请选择页面方案', 'Choose a page design']
const can =
  (verb: EntryVerb) =>
  (of: EntryRow): true | Text => {
    const may = isEntry(of)
    return may === true ? entryCan(verb, of, unixNow()) : may
  }
const form = {
  title: ask.text({
    label: ['标题', 'Title'],
    max: TITLE_WIDTH,
    hint: ['最多 5 个汉字', 'At most 5 Chinese characters'],
    check: titleFault,
  }),
  icon: ask.images({ label: ['图标', 'Icon'], max: 1, ratio: [1, 1] }),
  ...linkAsks,
  start_at: ask.time({
    label: ['开始时间', 'From'],
    optional: true,
    hint: ['留空为立即', 'Empty: at once'],
  }),
  end_at: ask.time({
    label: ['结束时间', 'Until'],
    optional: true,
    hint: ['留空为长期', 'Leave empty for no end date'],
    check: (end, { start_at }: { start_at?: number }) =>
      end !== undefined && start_at !== undefined && end <= start_at
        ? ['结束须晚于开始', 'Must be after the start']
        : undefined,
  }),
  new_only: ask.flag({
    label: ['仅新会员可见', 'New members only'],
    initial: rows => rows[0]?.audience?.new_only === true,
  }),
}
const { asks, input } = formOf(form, ({ title, icon, start_at, end_at, new_only, ...link }) => ({
  title,
  icon: icon[0]!,
  ...linked(link),
  start_at: start_at ?? null,
  end_at: end_at ?? null,
  audience: new_only ? { new_only: true } : {},
}))
const BADGE_DAYS = 14

export const entryActions = {
  create: pageAction(calls.create, ['新增入口', 'New entry'], entries, {
    key: 'c',
    main: true,
    asks: {
      city_id: cityAsk({ initial: rows => rows[0]?.city_id }),
      position: ask.choice({
        label: ['位置', 'Position'],
        options: entryPositions,
        initial: rows => (rows[0] as EntryGiven | undefined)?.position ?? 'grid',
      }),
      ...asks,
    },
    input: (_, { city_id, position, ...asked }) => ({ city_id, position, ...input(asked) }),
  }),
  edit: row.edit(calls.edit, ['编辑入口', 'Edit entry'], { asks, input }, { main: true }),
  setBadge: row.row(calls.setBadge, ['设置角标', 'Set the badge'], {
    key: 'b',
    when: can('setBadge'),
    asks: {
      text: ask.text({
        label: ['角标文字', 'Badge'],
        max: BADGE_WIDTH,
        optional: true,
        initial: rows => rows[0]?.badge,
        hint: [
          '最多 4 个汉字，留空为取消角标',
          'At most 4 Chinese characters; empty takes it away',
        ],
        check: badgeFault,
      }),
      until: ask.time({
        label: ['展示至', 'Until'],
        shown: answers => Boolean(answers.text),
        // The same all day: a form takes a proposal that moves for somebody's change.
        initial: ([of]) =>
          of?.badge_on ? of.badge_until! : dayStart(unixNow()) + BADGE_DAYS * DAY,
      }),
    },
    input: asking(({ text, until }) => ({
      text: text ?? '',
      ...(text && until !== undefined && { until }),
    })),
  }),
  online: row.row(calls.online, ['上线', 'Bring online'], {
    key: 'o',
    main: true,
    when: can('online'),
    input: one,
    takenBack: 'opposite',
  }),
  offline: row.row(calls.offline, ['下线', 'Take offline'], {
    key: 'f',
    danger: true,
    when: can('offline'),
    tells: ([of]) =>
      of && of.campaigns.length > 0
        ? [
            ['同一链接的活动正在进行：{of}', 'What leads to the same is running: {of}'],
            { of: joinedNames(of.campaigns.map(({ title }) => title)) },
          ]
        : undefined,
    asks: {
      reason,
      anyway: ask.flag({
        label: ['活动进行中，仍要下线', 'Take it offline all the same'],
        shown: (_, rows) => ((rows[0] as EntryRow | undefined)?.campaigns.length ?? 0) > 0,
        initial: () => false,
      }),
    },
    input: asking(({ reason: why, anyway }) => ({ reason: why, anyway: anyway === true })),
  }),
  copyToCities: row.row(calls.copyToCities, ['复制到城市', 'Copy to cities'], {
    key: 'shift+c',
    takes: 'rows',
    most: 60,
    tells: inAll,
    when: isEntry,
    asks: {
      city_ids: citiesAsk({
        max: 100,
        named: () => undefined,
        hint: [
          '复制后为下线状态；链接在目标城市不可用的会跳过并列出',
          'Copies are offline; those whose link leads nowhere there are skipped and listed',
        ],
      }),
    },
    input: (rows, asked) => ({ ids: rows.map(({ id }) => id), ...asked }),
  }),
  del: row.del(calls.del, ['删除入口', 'Delete entry'], { when: can('del') }),
  openDesigner: action<unknown, unknown, SchemeRow>('config.entry.openDesigner', {
    title: '打开页面装修',
    en: 'Open the designer',
    key: 'd',
    at: entries,
    on: schemeRow,
    takes: 'row',
    when: isScheme,
    to: rows => designerOf(rows[0]!),
  }),
  newScheme: pageAction(calls.newScheme, ['起草页面方案', 'Begin a page design'], entries, {
    key: 'n',
    alias: ['新建页面方案', '新建页面', 'new page'],
    asks: {
      type: ask.choice({ label: ['页面类型', 'Type'], options: cityPages }),
      city_id: cityAsk({ initial: rows => rows[0]?.city_id }),
    },
    input: (_, asked) => asked,
  }),
  preview: pageAction('config.entry.preview', ['手机预览', 'Phone preview'], entries, {
    key: 'v',
  }),
  sort: pageAction(calls.sort, ['保存顺序', 'Save the order'], entries, { key: 's' }),
}
