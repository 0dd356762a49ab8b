import { useEffect, useMemo, useState } from 'react'
import { useDispatch } from 'react-redux'
import { ask } from '#commands/command.ts'
import { categoryActions, restoreCategories } from '#commands/mall/mall.ts'
import { usualSettings } from '#src/areas/mall/mall.ts'
import type { Result } from '#src/contract/call.ts'
import { comma } from '#src/domain/text.ts'
import { Column, Columns } from '#src/kit/board-columns.tsx'
import type { Flag } from '#src/kit/board-rows.tsx'
import { Board } from '#src/kit/board.tsx'
import { dispatchRead, shownOf, skipToken, sourceOf, useRead, useWrite } from '#src/kit/data.ts'
import { FormField, FormNotes, useForm, useUnsaved } from '#src/kit/form.tsx'
import { Keyed } from '#src/kit/keyed.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { Phone } from '#src/kit/phone.tsx'
import { PressButton, useLacks } from '#src/kit/pressable.tsx'
import { refusedBy } from '#src/kit/refused.ts'
import { Keys, Section } from '#src/kit/show.tsx'
import { Empty } from '#src/kit/states.tsx'
import { useSay, type Say } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { useBoard, type BoardState } from '#src/kit/useboard.ts'
import { useAction, usePane, useStageSubject, useWorkbench } from '#src/kit/workbench.ts'
import { category, type CategoryRow } from '../contract/category.ts'
import { CategoryBackups } from '../parts/CategoryBackups.tsx'
import { InMall, lastChange, PlaceBar, usePlace, type Where } from '../parts/place.tsx'
import { Thumb } from '../parts/thumb.tsx'

type Row = CategoryRow & { parent_name?: string }
type Settings = Result<typeof category.settings>
const actions = [...Object.values(categoryActions), restoreCategories]
const asks = {
  title: ask.text({ label: ['标题', 'Title'], max: 20, initial: rows => rows[0]?.title }),
  show_title: ask.flag({
    label: ['显示标题', 'Show the title'],
    initial: rows => rows[0]?.show_title ?? true,
  }),
  per_row: ask.choice({
    label: ['每行个数', 'Per row'],
    options: { 4: ['4 个', '4'], 5: ['5 个', '5'] },
    initial: ([row]: readonly Pick<Settings, 'per_row'>[]) => (row?.per_row === 4 ? '4' : '5'),
  }),
  max_rows: ask.number({
    label: ['最多行数', 'Max rows'],
    min: 1,
    max: 3,
    initial: rows => rows[0]?.max_rows,
  }),
  layout: ask.choice({
    label: ['布局', 'Layout'],
    options: { grid: ['宫格', 'Grid'], tabs: ['标签', 'Tabs'] },
    initial: rows => rows[0]?.layout,
  }),
  store_limit: ask.number({
    label: ['每类推荐门店上限', 'Max recommended stores each'],
    min: 1,
    max: 30,
    initial: rows => rows[0]?.store_limit,
  }),
  hide_empty: ask.flag({
    label: ['自动隐藏空分类', 'Hide empty categories'],
    initial: rows => rows[0]?.hide_empty ?? true,
  }),
}
const SettingsForm = ({ of, onDirty }: { of: Settings; onDirty: (dirty: boolean) => void }) => {
  const say = useSay()
  const { keysOf, ariaKeysOf, toast } = useWorkbench()
  const dispatch = useDispatch()
  const [save] = useWrite(category.saveSettings)
  const rows = useMemo(() => [of], [of])
  const newest = async (mid: number) => [
    await dispatchRead(dispatch as never, category.settings, { mid }, true),
  ]
  const form = useForm({
    asks,
    rows,
    draft: `category-settings:${of.mid}`,
    submit: async (answers, [{ mid, version }]) => {
      const { per_row, ...rest } = answers as Omit<Settings, 'per_row'> & { per_row: string }
      try {
        await save({ ...rest, mid, version, per_row: Number(per_row) as 4 | 5 }, { quiet: true })
        await newest(mid).catch(() => {})
        form.reset()
        toast(say(['分类设置已保存', 'Settings saved']), 'success')
        return true
      } catch (fault) {
        return refusedBy(fault, { newest: () => newest(mid) })
      }
    },
  })
  useUnsaved(form)
  const { dirty } = form
  useEffect(() => onDirty(dirty), [onDirty, dirty])
  useAction(categoryActions.saveSettings, form.go)
  const lack = useLacks()(categoryActions.saveSettings)
  return (
    <Section title={say(['宫格设置', 'Grid'])}>
      <form
        className="m-ask"
        onSubmit={event => {
          event.preventDefault()
          form.go()
        }}
      >
        <fieldset
          disabled={lack !== undefined}
          style={{ border: 0, padding: 0, margin: 0, display: 'grid', gap: 4 }}
        >
          {Object.keys(asks).map(name => (
            <FormField key={name} of={form} name={name} />
          ))}
        </fieldset>
        <FormNotes of={form} />
        {form.refused?.message && (
          <div className="m-error" role="alert">
            {form.refused.message}
          </div>
        )}
        <PressButton
          type="submit"
          size="small"
          intent={form.dirty ? 'primary' : 'none'}
          why={lack ?? (form.dirty ? undefined : say(['没有修改', 'Nothing was changed']))}
          loading={form.busy}
          aria-keyshortcuts={ariaKeysOf(categoryActions.saveSettings.id)}
        >
          {say(['保存分类设置', 'Save settings'])}
          <Keys keys={keysOf(categoryActions.saveSettings.id)} />
        </PressButton>
      </form>
    </Section>
  )
}

const Line = ({ of }: { of: Row }) => {
  const say = useSay()
  return (
    <div className="ml-line">
      <Thumb of={of.icon} name={of.name} />
      <div>
        <div className="ml-name">
          {of.name}
          {of.children.length > 0 && (
            <span className="m-muted">
              {' '}
              {say(['{n} 个下级', '{n} sub'], { n: of.children.length })}
            </span>
          )}
        </div>
        <div className="ml-meta">
          {of.jump_kind === 'link' ? (
            <span>
              {say(['链接', 'Link'])} {of.link_name}
            </span>
          ) : (
            <>
              <span>
                {say(['门店', 'Stores'])} <b>{of.store_count}</b>
              </span>
              <span>
                {say(['商品', 'Products'])} <b>{of.product_count}</b>
              </span>
              <span>
                {say(['推荐', 'Recommended'])} <b>{of.recommended}</b>
              </span>
              <span className="m-ellipsis" title={of.shop_category_names.join(say(comma))}>
                {of.shop_category_names.join(say(comma))}
              </span>
            </>
          )}
        </div>
      </div>
    </div>
  )
}
const lackFlags = (row: Row, say: Say): Flag[] => {
  if (row.jump_kind === 'link' && !row.link_ok)
    return [{ tone: 'bad', text: say(['链接失效', 'Dead link']) }]
  if (!row.is_empty) return []
  return [
    {
      tone: 'warn',
      text: row.is_show
        ? say(['空分类，App 自动隐藏', 'Empty, hidden in the app'])
        : say(['空分类', 'Empty']),
    },
  ]
}
const useFlags = () => {
  const say = useSay()
  return (row: Row): readonly Flag[] => [
    ...(row.is_show ? [] : [{ tone: 'plain' as const, text: say(['已隐藏', 'Hidden']) }]),
    ...lackFlags(row, say),
  ]
}

type Levels = { of: BoardState<Row>; set: string | undefined }
const TopLevel = ({ of, set }: Levels) => {
  const say = useSay()
  const flags = useFlags()
  return (
    <Board
      of={of}
      label={say(['一级分类', 'First level'])}
      labelOf={row => row.name}
      row={row => <Line of={row} />}
      flags={flags}
      dim={row => !row.is_show || row.is_empty}
      saves={categoryActions.sort}
      theirs={set}
      empty={
        <Empty title={say(['还没有导购分类', 'No categories yet'])}>
          <p>
            <Keyed
              text={[
                '按 {add} 新增，或按 {copy} 从其他商场复制。',
                '{add} adds one; {copy} copies another mall’s.',
              ]}
              by={{ add: categoryActions.create, copy: categoryActions.copyFrom }}
            />
          </p>
        </Empty>
      }
    />
  )
}
const SecondLevel = ({ of, set }: Levels) => {
  const say = useSay()
  const flags = useFlags()
  return (
    <Board
      of={of}
      label={say(['二级分类', 'Second level'])}
      labelOf={row => row.name}
      row={row => <Line of={row} />}
      flags={flags}
      dim={row => !row.is_show || row.is_empty}
      saves={categoryActions.sort}
      theirs={set}
      empty={<Empty title={say(['没有下级分类', 'No subcategories'])} />}
    />
  )
}
/** The block as the app shows it, in the order as it stands on the board, saved or not. */
const InApp = ({
  mall,
  of,
  rows,
}: {
  mall: Where
  of: Result<typeof category.settings> | undefined
  rows: readonly Row[]
}) => {
  const say = useSay()
  const visible = rows.filter(row => row.is_show && !((of?.hide_empty ?? true) && row.is_empty))
  const perRow = of?.per_row ?? usualSettings.per_row
  return (
    <Phone label={say(['手机预览', 'Phone preview'])} title={mall.name.split(' · ')[0]!}>
      <div className="ml-block">
        {(of?.show_title ?? true) && <h4>{of?.title ?? usualSettings.title}</h4>}
        <div className="ml-grid" style={{ gridTemplateColumns: `repeat(${perRow}, 1fr)` }}>
          {visible.slice(0, perRow * (of?.max_rows ?? usualSettings.max_rows)).map(row => (
            <div key={row.id}>
              <Thumb of={row.icon} name={row.name} />
              <span>{row.name}</span>
            </div>
          ))}
        </div>
      </div>
    </Phone>
  )
}

/** What is below a category, each with the name of that. */
const useChildren = (parent: CategoryRow | undefined) =>
  useMemo(
    () => parent?.children.map((row): Row => ({ ...row, parent_name: parent.name })),
    [parent],
  )

export default function Categories() {
  const say = useSay()
  const place = usePlace('shop')
  const { where } = place
  const { run } = useWorkbench()
  const { stage, id } = usePane()
  const subject = useStageSubject(stage)
  const [previewing, setPreviewing] = usePaneState('preview', true)
  const [restoring, setRestoring] = useState(false)
  const read = useRead(category.lst, where ? { mid: where.mid } : skipToken)
  const settings = useRead(category.settings, where ? { mid: where.mid } : skipToken)
  const data = shownOf(read)
  const [sort] = useWrite(category.sort)
  const [changing, setChanging] = useState(false)
  const top = useBoard<Row>({
    name: `category:${where?.mid ?? ''}`,
    ...sourceOf(read),
    save: (order, list_version) => sort({ mid: where!.mid, parent_id: 0, order, list_version }),
  })
  const parent = data?.list.find(row => row.id === top.focused)
  const below = useChildren(parent)
  const under = useBoard<Row>({
    name: `category:${where?.mid ?? ''}/${parent?.id ?? 0}`,
    ...sourceOf(read),
    rows: below ?? [],
    save: (order, list_version) =>
      sort({ mid: where!.mid, parent_id: parent!.id, order, list_version }),
  })
  useAction(categoryActions.sort, () => void (under.dirty ? under : top).save())
  useAction(categoryActions.preview, () => setPreviewing(!previewing))
  useAction(categoryActions.create, () => {
    if (where) void run(categoryActions.create, [], { pane: id, asked: { mid: where.mid } })
  })
  useAction(categoryActions.copyFrom, () => {
    if (where) void run(categoryActions.copyFrom, [], { pane: id, asked: { mid: where.mid } })
  })
  useAction(restoreCategories, () => setRestoring(true))
  const set = lastChange(data)
  const of = settings.currentData ?? settings.data
  return (
    <div className="ml-page-of">
      <PlaceBar of={place} />
      <Toolbar actions={actions} rows={subject.rows} plain={top.dirty || under.dirty || changing} />
      <InMall of={place} read={{ ...read, data }}>
        {where => (
          <div className="ml-body">
            <Columns widths="minmax(280px, 1.2fr) minmax(220px, 1fr)" first="top">
              <Column
                name="top"
                title={say(['一级分类', 'First level'])}
                aside={set && <span className="ml-count">{set}</span>}
              >
                <TopLevel of={top} set={set} />
              </Column>
              <Column
                name="below"
                title={
                  parent
                    ? say(['{name} 的下级', 'Under {name}'], { name: parent.name })
                    : say(['二级分类', 'Second level'])
                }
              >
                <SecondLevel of={under} set={set} />
              </Column>
            </Columns>
            <div className="ml-side">
              {previewing && <InApp mall={where} of={of} rows={top.rows ?? []} />}
              {of && <SettingsForm key={of.mid} of={of} onDirty={setChanging} />}
            </div>
            {restoring && <CategoryBackups mid={where.mid} close={() => setRestoring(false)} />}
          </div>
        )}
      </InMall>
    </div>
  )
}
