import { blockKinds, pageType, type PageType } from '#src/areas/scheme/blocks.ts'
import type { Designed, DesignerCalls } from '#src/contract/designer.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { ask, stemOf, type Page } from './command.ts'
import { one, pageAction, reason } from './record.ts'
import { linkAsks, linked } from './system/link.ts'

const kindTitles = (type: PageType): Readonly<Record<string, Text>> =>
  Object.fromEntries(pageType(type).holds.map(kind => [kind, blockKinds[kind].title]))
/** What a page's own actions are about: the design as it was read, and what it says besides. */
export type DesignAt = Designed & { no?: number }
/** The design that an action of its page is given. */
export const designIn = (rows: readonly unknown[]) => rows[0] as DesignAt
const note = ask.text({
  label: ['发布说明', 'What is new'],
  max: 255,
  hint: ['写进版本记录，回滚时据此辨认', 'Kept with the version, to know it by'],
})
const versionAsk = (label: Text, initial: (of: DesignAt) => number | undefined) =>
  ask.number({
    label,
    min: 0,
    max: 100_000,
    initial: rows => (rows[0] ? initial(designIn(rows)) : undefined),
  })

const draftActions = (at: Page, type: PageType, calls: DesignerCalls) => {
  const own = (verb: string) => `${stemOf(at.path)}.${verb}`
  return {
    addBlock: pageAction(own('addBlock'), ['添加组件', 'Add a block'], at, {
      key: 'a',
      main: 'plain',
      asks: { kind: ask.choice({ label: ['组件', 'Block'], options: kindTitles(type) }) },
    }),
    save: pageAction(calls.save, ['保存草稿', 'Save the draft'], at, { key: 's', main: true }),
    preview: pageAction(own('preview'), ['手机预览', 'Preview on a phone'], at, {
      key: 'v',
      main: 'plain',
      alias: ['二维码', 'QR'],
    }),
    undo: pageAction(own('undo'), ['撤销一步编辑', 'Undo an edit'], at, { key: 'z' }),
    redo: pageAction(own('redo'), ['重做一步编辑', 'Redo an edit'], at, { key: 'y' }),
    editBlock: pageAction(own('editBlock'), ['编辑组件属性', 'Edit the block'], at, { key: 'e' }),
    moveBlock: pageAction(own('moveBlock'), ['移动组件到', 'Move the block to'], at, {
      key: 'm',
      asks: {
        to: ask.number({
          label: ['第几个', 'Place on the page'],
          min: 1,
          max: pageType(type).most,
        }),
      },
    }),
    duplicateBlock: pageAction(own('duplicateBlock'), ['复制组件', 'Duplicate the block'], at, {
      key: 'd',
    }),
    removeBlock: pageAction(own('removeBlock'), ['删除组件', 'Remove the block'], at, {
      key: 'r',
    }),
    nextFault: pageAction(own('nextFault'), ['下一处待修正', 'Next thing to put right'], at, {
      key: 'n',
    }),
    saveAsTemplate: pageAction(calls.saveAsTemplate, ['存为模板', 'Save as a template'], at, {
      asks: { name: ask.text({ label: ['模板名称', 'Name'], max: 32 }) },
      input: (rows, asked) => ({ name: asked.name, blocks: designIn(rows).blocks }),
    }),
    applyTemplate: pageAction(own('applyTemplate'), ['套用模板', 'Apply a template'], at, {
      key: 'l',
      asks: {
        template: ask.entity({
          label: ['模板', 'Template'],
          find: calls.templates,
          labelOf: row => row.name,
          none: ['还没有模板', 'There are no templates'],
          hint: ['替换当前全部组件，可撤销', 'It replaces all blocks; undo brings them back'],
        }),
      },
    }),
  }
}
const versionActions = (at: Page, calls: DesignerCalls) => ({
  publish: pageAction(calls.publish, ['发布', 'Publish'], at, {
    key: 'p',
    main: true,
    asks: {
      note,
      scheduled: ask.choice({
        label: ['已有的定时发布', 'The publication that is scheduled'],
        options: {
          keep: ['保留，到时会覆盖这次发布', 'Keep: it will replace this one'],
          cancel: ['取消', 'Cancel it'],
        },
        shown: (_, rows) => Boolean(rows[0] && designIn(rows).scheduled),
      }),
    },
    input: (rows, asked) => ({
      ...one([designIn(rows)]),
      note: asked.note,
      ...(asked.scheduled && { scheduled: asked.scheduled }),
    }),
  }),
  schedule: pageAction(calls.schedule, ['定时发布', 'Schedule'], at, {
    key: 't',
    asks: {
      at: ask.time({
        label: ['发布时间', 'Goes live at'],
        check: value =>
          value !== undefined && value > unixNow() && value < unixNow() + 90 * DAY
            ? undefined
            : ['须晚于现在，且在 90 天内', 'It must come within 90 days'],
      }),
      note,
    },
    input: (rows, asked) => ({ ...one([designIn(rows)]), at: asked.at!, note: asked.note }),
  }),
  cancelSchedule: pageAction(calls.cancelSchedule, ['取消定时发布', 'Cancel the schedule'], at, {
    danger: true,
    input: rows => one([designIn(rows)]),
  }),
  rollback: pageAction(calls.rollback, ['回滚到版本', 'Roll back to a version'], at, {
    key: 'b',
    danger: true,
    asks: { no: versionAsk(['版本号', 'Version'], ({ no }) => no), reason },
    input: (rows, asked) => ({ ...one([designIn(rows)]), no: asked.no, reason: asked.reason }),
  }),
  diff: pageAction(`${stemOf(at.path)}.diff`, ['对比版本', 'Compare versions'], at, {
    key: 'c',
    asks: {
      a: versionAsk(['从版本', 'From version'], ({ no, live_no }) => no ?? live_no ?? undefined),
      b: ask.number({
        label: ['到版本', 'To version'],
        min: 0,
        max: 100_000,
        initial: () => 0,
        hint: ['0 为正在编辑的草稿', '0 is the draft as it is on the screen'],
      }),
    },
  }),
  unpublish: pageAction(calls.unpublish, ['页面下线', 'Take the page down'], at, {
    danger: true,
    asks: { reason },
    input: (rows, asked) => ({ ...one([designIn(rows)]), reason: asked.reason }),
  }),
  takeOver: pageAction(calls.takeOver, ['接手草稿', 'Take the draft over'], at, {
    danger: true,
    input: rows => one([designIn(rows)]),
  }),
  discard: pageAction(calls.discard, ['放弃草稿', 'Discard the draft'], at, {
    danger: true,
    input: rows => one([designIn(rows)]),
  }),
})
/** The actions of a page that is designed: all that is done on the draft, and what makes it live. */
export const designerActions = (at: Page, type: PageType, calls: DesignerCalls) => ({
  ...draftActions(at, type, calls),
  ...versionActions(at, calls),
})
/** Another page of the type, whose blocks take the place of those on the screen. */
export const copyFrom = (
  at: Page,
  calls: DesignerCalls,
  label: Text,
  given: (of: DesignAt) => object,
) =>
  pageAction(`${stemOf(at.path)}.copyFrom`, ['复制其他页面', 'Copy another page'], at, {
    key: 'f',
    asks: {
      from: ask.entity({
        label,
        find: calls.lst,
        labelOf: row => row.name,
        given: rows => ({ designed: true, ...(rows[0] && given(designIn(rows))) }),
        none: ['还没有装修过的页面', 'None is designed yet'],
        hint: ['替换当前全部组件，可撤销', 'It replaces all blocks; undo brings them back'],
      }),
    },
  })
/** Opens another page of the type, found by its name. */
export const choosePage = (
  at: Page,
  calls: DesignerCalls,
  label: Text,
  given: (of: DesignAt) => object,
) =>
  pageAction(`${stemOf(at.path)}.choose`, ['换一个页面', 'Another page'], at, {
    key: 'o',
    asks: {
      to: ask.entity({
        label,
        find: calls.lst,
        labelOf: row => row.name,
        given: rows => (rows[0] ? given(designIn(rows)) : {}),
      }),
    },
  })
/** How a block’s link is asked for: as it is everywhere. */
export const blockLinks = { asks: linkAsks, linked }
