import { HTMLSelect } from '@blueprintjs/core'
import { useRef, useState, type ReactNode, type RefObject } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { DesignerActions } from '#commands/config/designer.ts'
import type { Block, PageType } from '#src/areas/scheme/blocks.ts'
import { useRead } from '#src/kit/data.ts'
import { useRested } from '#src/kit/rested.ts'
import { Badge, When } from '#src/kit/show.tsx'
import { Empty, Failed, Loading } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import type { Designed, DesignerCalls } from '../contract/designer.ts'
import { DesignCanvas, DesignDrag, DesignPalette } from './DesignCanvas.tsx'
import { DesignProperties, type PageData } from './DesignProperties.tsx'
import { DesignFaults, DesignVersions } from './DesignSide.tsx'
import { DiffWindow, PreviewWindow } from './DesignWindows.tsx'
import { useDesign, type Design } from './useDesign.ts'
import { blockKeys, useBlockEdits, useDesignActions } from './useDesignActions.ts'
import './designer.css'

type Of = { type: PageType; calls: DesignerCalls; actions: DesignerActions }
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
  at: Pick<Of, 'type'> & { city_id: number }
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
          city_id={at.city_id}
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
        address={`/p/${at.type}/${at.city_id}`}
        compare={compare}
        rollback={rollback}
      />
    </aside>
  )
}

const DesignCity = ({
  type,
  calls,
  actions,
  city_id,
  picker,
}: Of & { city_id: number; picker: ReactNode }) => {
  const say = useSay()
  const design = useDesign(calls, city_id)
  const edits = useBlockEdits(type, design)
  const [open, show] = useState<Open | undefined>(undefined)
  const side = useRef<HTMLElement>(null)
  const { designed, blocks, read, selected, select, nameOf } = design
  const [rested] = useRested(blocks)
  const looked = useRead(calls.data, { city_id, blocks: rested as Designed['blocks'] })
  const data = looked.currentData ?? looked.data
  const page = () => side.current?.parentElement?.querySelector<HTMLElement>('.cd-phone')?.focus()
  const enter = () =>
    side.current
      ?.querySelector<HTMLElement>('[data-first-field] :is(input, select, textarea, button)')
      ?.focus()
  const { rollback } = useDesignActions(design, edits, { calls, actions, data, enter, show })
  if (read.error && !designed) return <Failed error={read.error} retry={read.refetch} />
  if (!designed) return <Loading lines={10} />
  return (
    <>
      <div className="m-filters">
        {picker}
        <States of={design} />
      </div>
      <Toolbar actions={Object.values(actions)} rows={[]} />
      <DesignDrag blocks={blocks} add={edits.add} move={edits.move}>
        <div className="cd-body">
          <DesignPalette type={type} blocks={blocks} add={kind => edits.add(kind)} />
          <DesignCanvas
            title={say(['{city}页面，共 {n} 个组件', 'The page of {city}, {n} blocks'], {
              city: designed.city_name,
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
            at={{ type, city_id }}
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
      {open?.kind === 'preview' && (
        <PreviewWindow calls={calls} id={open.id} close={() => show(undefined)} />
      )}
      {open?.kind === 'diff' && (
        <DiffWindow
          calls={calls}
          id={designed.id}
          a={open.a}
          b={open.b}
          draft={blocks}
          nameOf={nameOf}
          close={() => show(undefined)}
        />
      )}
    </>
  )
}

/** A page of a city being designed: palette, the page in the width of a phone, properties and versions. */
export const Designer = (of: Of) => {
  const say = useSay()
  const [, navigate] = useLocation()
  const asked = Number(new URLSearchParams(useSearch()).get('city_id')) || 0
  const { data, error, refetch } = useRead(of.calls.lst, { pageSize: 200 })
  if (error && !data) return <Failed error={error} retry={refetch} />
  if (!data) return <Loading lines={10} />
  const city = asked ? data.list.find(one => one.id === asked) : data.list[0]
  const picker = (
    <HTMLSelect
      aria-label={say(['城市', 'City'])}
      value={city?.id ?? ''}
      onChange={event => navigate(`?city_id=${event.target.value}`, { replace: true })}
      options={[
        ...(city ? [] : [{ value: '', label: say(['选择城市', 'Choose a city']) }]),
        ...data.list.map(one => ({
          value: one.id,
          label: `${one.city_name}${one.has_draft ? say([' · 有草稿', ' · draft']) : ''}`,
        })),
      ]}
    />
  )
  return (
    <div className="m-list">
      {city ? (
        <DesignCity key={city.id} {...of} city_id={city.id} picker={picker} />
      ) : (
        <Empty
          title={say([
            '没有这个城市，或不在你的数据范围内',
            'No such city, or outside your data scope',
          ])}
        >
          {picker}
        </Empty>
      )}
    </div>
  )
}
