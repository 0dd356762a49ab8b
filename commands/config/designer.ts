import { BLOCKS_MAX, blockKinds, type BlockKind } from '#src/areas/scheme/blocks.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Designed, DesignerCalls } from '#src/modules/config/contract/designer.ts'
import { homePage as homeCalls } from '#src/modules/config/contract/homePage.ts'
import { ask, stemOf, type Page } from '../command.ts'
import { homeDesign } from '../pages/config.ts'
import { one, pageAction, reason } from '../record.ts'

const kindTitles = Object.fromEntries(
  Object.entries(blockKinds).map(([kind, { title }]) => [kind, title]),
) as Readonly<Record<BlockKind, Text>>
/** What a page's own actions are about: the design as it was read, and what it says besides. */
export type DesignAt = Designed & { no?: number }
const design = (rows: readonly unknown[]) => rows[0] as DesignAt
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
    initial: rows => (rows[0] ? initial(design(rows)) : undefined),
  })

const draftActions = (at: Page, calls: DesignerCalls) => {
  const own = (verb: string) => `${stemOf(at.path)}.${verb}`
  return {
    addBlock: pageAction(own('addBlock'), ['添加组件', 'Add a block'], at, {
      key: 'a',
      main: 'plain',
      asks: { kind: ask.choice({ label: ['组件', 'Block'], options: kindTitles }) },
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
        to: ask.number({ label: ['第几个', 'Place on the page'], min: 1, max: BLOCKS_MAX }),
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
      input: (rows, asked) => ({ name: asked.name, blocks: design(rows).blocks }),
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
        shown: (_, rows) => Boolean(rows[0] && design(rows).scheduled),
      }),
    },
    input: (rows, asked) => ({
      ...one([design(rows)]),
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
    input: (rows, asked) => ({ ...one([design(rows)]), at: asked.at!, note: asked.note }),
  }),
  cancelSchedule: pageAction(calls.cancelSchedule, ['取消定时发布', 'Cancel the schedule'], at, {
    danger: true,
    input: rows => one([design(rows)]),
  }),
  rollback: pageAction(calls.rollback, ['回滚到版本', 'Roll back to a version'], at, {
    key: 'b',
    danger: true,
    asks: { no: versionAsk(['版本号', 'Version'], ({ no }) => no), reason },
    input: (rows, asked) => ({ ...one([design(rows)]), no: asked.no, reason: asked.reason }),
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
  takeOver: pageAction(calls.takeOver, ['接手草稿', 'Take the draft over'], at, {
    danger: true,
    input: rows => one([design(rows)]),
  }),
  discard: pageAction(calls.discard, ['放弃草稿', 'Discard the draft'], at, {
    danger: true,
    input: rows => one([design(rows)]),
  }),
})
/** The actions of a page that is designed: all that is done on the draft, and what makes it live. */
const designerActions = (at: Page, calls: DesignerCalls) => ({
  ...draftActions(at, calls),
  ...versionActions(at, calls),
})
export type DesignerActions = ReturnType<typeof designerActions>

export const homeDesignActions = designerActions(homeDesign, homeCalls)
