import { useRef, useState, type ReactNode, type RefObject } from 'react'
import { addressOf, pageType, type Block, type PageType } from '#src/areas/scheme/blocks.ts'
import { keyText, type PageKey } from '#src/areas/scheme/pageKey.ts'
import type { Designed } from '#src/contract/designer.ts'
import { useRead } from '../data.ts'
import { useRested } from '../rested.ts'
import { Badge, When } from '../show.tsx'
import { Empty, Failed, Loading } from '../states.tsx'
import { useSay } from '../text.ts'
import { Toolbar } from '../toolbar.tsx'
import { blockKeys, useBlockEdits, useDesignActions, type DesignerActions } from './actions.ts'
import type { Links } from './asks.ts'
import { DesignCanvas, DesignDrag, DesignPalette } from './canvas.tsx'
import { Further, type PageCalls } from './further.tsx'
import { KeyPicker, usePageKey } from './keys.tsx'
import { DesignProperties, type PageData } from './properties.tsx'
import { DesignFaults, DesignVersions } from './side.tsx'
import { useDesign, type Design } from './use-design.ts'
import { DiffWindow, PreviewWindow } from './windows.tsx'
import './designer.css'

type Of = { type: PageType; calls: PageCalls; actions: DesignerActions; links: Links }
type Open = { kind: 'preview'; id: number } | { kind: 'diff'; a: number; b: number }

/** How the page stands: who edits it, what waits, what is not saved. */
const States = ({ of: { designed, dirty, recovered, other } }: { of: Design }) => {
  const say = useSay()
  if (!designed) return null
  return (
    <>
      <Badge tone={designed.live_no === null ? 'plain' : 'good'}>
        {designed.live_no === null
          ? say(['未发布，展示默认模板', 'Not published: the default page is shown'])
          : say(['线上版本 {no}', 'Version {no} is live'], { no: designed.live_no })}
      </Badge>
      {designed.fault && <Badge tone="bad">{designed.fault}</Badge>}
      {designed.warning && <Badge tone="warn">{designed.warning}</Badge>}
      {designed.scheduled && (
        <Badge tone="info">
          {say(['版本 {no} 定于 ', 'Version {no} goes live '], { no: designed.scheduled.no })}
          <When at={designed.scheduled.at} />
        </Badge>
      )}
      {designed.draft && (
        <Badge tone={other ? 'warn' : 'plain'}>
          {other
            ? say(['{who}正在编辑草稿', '{who} is editing the draft'], { who: other.name })
            : say(['有草稿', 'A draft'])}{' '}
          <When at={designed.draft.at} />
        </Badge>
      )}
      {dirty && (
        <Badge tone="info">
          {recovered
            ? say(['已恢复未保存的修改', 'Your changes came back'])
            : say(['未保存', 'Not saved'])}
        </Badge>
      )}
    </>
  )
}

type SideOf = {
  at: Pick<Of, 'type' | 'calls' | 'links'> & { key: PageKey }
  design: Design
  block: Block | undefined
  data: PageData | undefined
  side: RefObject<HTMLElement | null>
  /** Gives the keys back to the page. */
  page: () => void
  compare: (no: number) => void
  rollback: (no: number) => void
}
/** Beside the page: the block in use, what is to be put right, and the versions. */
const Side = ({ at, design, block, data, side, page, compare, rollback }: SideOf) => {
  const say = useSay()
  const { blocks, nameOf, select } = design
  return (
    <aside
      ref={side}
      className="cd-side"
      aria-label={say(['属性与版本', 'Properties and versions'])}
      onKeyDown={event => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.stopPropagation()
        page()
      }}
    >
      {block && (
        <DesignProperties
          key={block.id}
          block={block}
          of={at}
          data={data}
          change={(props, typing) =>
            design.change(
              blocks.map(one => (one.id === block.id ? { ...one, props } : one)),
              typing,
            )
          }
          done={page}
        />
      )}
      <DesignFaults
        faults={data?.faults ?? []}
        nameOf={id => nameOf(blocks.find(one => one.id === id))}
        go={id => {
          select(id)
          page()
        }}
      />
      <DesignVersions
        of={design.designed!}
        address={addressOf(at.type, at.key)}
        compare={compare}
        rollback={rollback}
      />
    </aside>
  )
}

/** The window that is open over the page: its preview, or how two versions differ. */
const Opened = ({
  open,
  calls,
  design: { designed, blocks, nameOf },
  close,
}: Pick<Of, 'calls'> & { open: Open | undefined; design: Design; close: () => void }) => {
  if (!open || !designed) return null
  return open.kind === 'preview' ? (
    <PreviewWindow calls={calls} id={open.id} close={close} />
  ) : (
    <DiffWindow
      calls={calls}
      id={designed.id}
      a={open.a}
      b={open.b}
      draft={blocks}
      nameOf={nameOf}
      close={close}
    />
  )
}

const DesignPage = ({
  type,
  calls,
  actions,
  links,
  of: key,
  picker,
}: Of & { of: PageKey; picker: (name: string) => ReactNode }) => {
  const say = useSay()
  const design = useDesign(calls, key)
  const edits = useBlockEdits(type, design)
  const [open, show] = useState<Open | undefined>(undefined)
  const side = useRef<HTMLElement>(null)
  const { designed, blocks, read, selected, select, nameOf } = design
  const [rested] = useRested(blocks)
  const looked = useRead(calls.data, {
    ...key,
    blocks: rested as Designed['blocks'],
  })
  const data = looked.currentData ?? looked.data
  const page = () => side.current?.parentElement?.querySelector<HTMLElement>('.cd-phone')?.focus()
  const enter = () =>
    side.current
      ?.querySelector<HTMLElement>('[data-first-field] :is(input, select, textarea, button)')
      ?.focus()
  const { rollback } = useDesignActions(design, edits, { calls, actions, data, enter, show })
  if (read.error && !designed)
    return (
      <>
        <div className="m-filters">{picker('')}</div>
        <Failed error={read.error} retry={read.refetch} />
      </>
    )
  if (!designed) return <Loading lines={10} />
  return (
    <>
      <div className="m-filters">
        {picker(designed.name)}
        <States of={design} />
      </div>
      <Toolbar actions={Object.values(actions)} rows={[]} />
      <Further type={type} design={design} calls={calls} actions={actions} />
      <DesignDrag blocks={blocks} add={edits.add} move={edits.move}>
        <div className="cd-body">
          <DesignPalette type={type} blocks={blocks} add={kind => edits.add(kind)} />
          <DesignCanvas
            title={say(['{of}页面，共 {n} 个组件', 'The page of {of}, {n} blocks'], {
              of: designed.name,
              n: blocks.length,
            })}
            blocks={blocks}
            data={data}
            selected={selected}
            nameOf={nameOf}
            select={select}
            onKey={blockKeys(edits, enter)}
          />
          <Side
            at={{ type, calls, links, key }}
            design={design}
            block={edits.block}
            data={data}
            side={side}
            page={page}
            compare={no => show({ kind: 'diff', a: no, b: 0 })}
            rollback={rollback}
          />
        </div>
      </DesignDrag>
      <div className="m-sr" role="status" aria-live="polite">
        {edits.told}
      </div>
      <Opened open={open} calls={calls} design={design} close={() => show(undefined)} />
    </>
  )
}

const nothing = {
  city_id: ['没有这个城市，或不在你的数据范围内', 'No such city, or outside your data scope'],
  category_id: [
    '本市没有可装修的分类：须已显示且有在售商品，品牌页还须已发布品牌墙',
    'No category here: it must be shown and sell something; for brands, have a wall',
  ],
  brand_id: ['没有可装修的品牌', 'There is no brand to design'],
} as const
/** A page being designed: palette, the page in the width of a phone, properties and versions. */
export const Designer = (of: Of) => {
  const say = useSay()
  const picks = usePageKey(of.type, of.calls)
  const { key, failed, ready, parts } = picks
  if (failed) return <Failed error={failed.error!} retry={failed.refetch} />
  if (!ready) return <Loading lines={10} />
  const picker = (name: string) => <KeyPicker of={picks} name={name} />
  const lacking = parts.find(({ id }) => id === 0)?.part ?? pageType(of.type).of[0]!
  return (
    <div className="m-list">
      {key ? (
        <DesignPage key={keyText(key)} {...of} of={key} picker={picker} />
      ) : (
        <Empty title={say(nothing[lacking])}>{picker('')}</Empty>
      )}
    </div>
  )
}
