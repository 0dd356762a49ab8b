import { Button } from '@blueprintjs/core'
import { DragHandleVertical, WarningSign } from '@blueprintjs/icons'
import {
  closestCenter,
  DndContext,
  PointerSensor,
  pointerWithin,
  useDraggable,
  useDroppable,
  useSensor,
  useSensors,
  type CollisionDetection,
  type DragEndEvent,
} from '@dnd-kit/core'
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react'
import {
  addFault,
  kindOf,
  pageTypes,
  type Block,
  type BlockKind,
  type PageType,
} from '#src/areas/scheme/blocks.ts'
import { colon, semicolon } from '#src/domain/text.ts'
import { FirstFocus } from '../focus.ts'
import { useSay } from '../text.ts'
import { DesignBlock } from './block.tsx'
import type { PageData } from './properties.tsx'

const CANVAS = 'canvas'
const NEW = 'new:'
const kindIn = (id: unknown): BlockKind | undefined =>
  String(id).startsWith(NEW) ? (String(id).slice(NEW.length) as BlockKind) : undefined
/** A new block goes where the pointer is; one that is moved to the nearest place. */
const hits: CollisionDetection = args => {
  if (kindIn(args.active.id) === undefined) return closestCenter(args)
  const within = pointerWithin(args)
  const inner = within.filter(({ id }) => id !== CANVAS)
  return inner.length > 0 ? inner : within
}
const quiet = {
  onDragStart: () => undefined,
  onDragOver: () => undefined,
  onDragEnd: () => undefined,
  onDragCancel: () => undefined,
}
/** The palette and the page, between which blocks are dragged. */
export const DesignDrag = ({
  blocks,
  add,
  move,
  children,
}: {
  blocks: readonly Block[]
  add: (kind: BlockKind, at: number) => void
  move: (id: string, to: number) => void
  children: ReactNode
}) => {
  const say = useSay()
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }))
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    if (!over) return
    const at = over.id === CANVAS ? blocks.length : blocks.findIndex(({ id }) => id === over.id)
    const kind = kindIn(active.id)
    if (kind) add(kind, at)
    else if (active.id !== over.id && over.id !== CANVAS) move(String(active.id), at)
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={hits}
      onDragEnd={onDragEnd}
      accessibility={{
        screenReaderInstructions: {
          draggable: say(['按 Alt 加上下方向键移动', 'Alt and an arrow moves it']),
        },
        announcements: quiet,
      }}
    >
      {children}
    </DndContext>
  )
}

const PaletteItem = ({
  kind,
  fault,
  add,
}: {
  kind: BlockKind
  fault: string | undefined
  add: () => void
}) => {
  const say = useSay()
  const { title, about } = kindOf(kind)
  const { listeners, setNodeRef, isDragging } = useDraggable({
    id: `${NEW}${kind}`,
    disabled: fault !== undefined,
  })
  return (
    <Button
      ref={setNodeRef}
      {...listeners}
      className="cd-kind"
      fill
      alignText="start"
      variant="minimal"
      disabled={fault !== undefined}
      title={fault ?? say(about)}
      data-dragging={isDragging || undefined}
      onClick={add}
    >
      {say(title)}
      <small>{fault ?? say(about)}</small>
    </Button>
  )
}
/** The kinds of block that the page may have: a press puts one below the one in use, a drag anywhere. */
export const DesignPalette = ({
  type,
  blocks,
  add,
}: {
  type: PageType
  blocks: readonly Block[]
  add: (kind: BlockKind) => void
}) => {
  const say = useSay()
  return (
    <nav className="cd-palette" aria-label={say(['组件库', 'Blocks'])}>
      {pageTypes[type].holds.map(kind => {
        const fault = addFault(type, kind, blocks)
        return (
          <PaletteItem key={kind} kind={kind} fault={fault && say(fault)} add={() => add(kind)} />
        )
      })}
    </nav>
  )
}

const CanvasBlock = ({
  block,
  name,
  at,
  isOn,
  items,
  faults,
  select,
}: {
  block: Block
  name: string
  at: number
  isOn: boolean
  items: PageData['blocks'][number]['items'] | undefined
  faults: readonly string[]
  select: () => void
}) => {
  const { listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({ id: block.id })
  const own = useRef<HTMLDivElement | null>(null)
  const say = useSay()
  const wrong = faults.length > 0 ? `${say(colon)}${faults.join(say(semicolon))}` : ''
  const label = `${at + 1} ${name}${wrong}`
  useEffect(() => {
    if (isOn) own.current?.scrollIntoView?.({ block: 'nearest' })
  }, [isOn])
  return (
    <div
      ref={node => {
        own.current = node
        setNodeRef(node)
      }}
      id={`block-${block.id}`}
      role="row"
      aria-rowindex={at + 1}
      aria-selected={isOn}
      aria-label={label}
      className="cd-block"
      data-kind={block.kind}
      data-bad={faults.length > 0 || undefined}
      data-dragging={isDragging || undefined}
      style={{ transform: CSS.Translate.toString(transform), transition }}
      onMouseDown={select}
    >
      <div role="gridcell" aria-label={label}>
        <span className="cd-handle" ref={setActivatorNodeRef} {...listeners} aria-hidden="true">
          <DragHandleVertical size={14} tagName={null} />
        </span>
        <div className="cd-content" aria-hidden="true">
          <DesignBlock block={block} items={items} />
        </div>
        {faults.length > 0 && (
          <span className="cd-fault" title={faults.join('\n')} aria-hidden="true">
            <WarningSign size={14} tagName={null} />
          </span>
        )}
      </div>
    </div>
  )
}

/** The page in the width of a phone, with what there is now. */
export const DesignCanvas = ({
  title,
  blocks,
  data,
  selected,
  nameOf,
  select,
  onKey,
}: {
  title: string
  blocks: readonly Block[]
  data: PageData | undefined
  selected: string | undefined
  nameOf: (block: Block) => string
  select: (id: string) => void
  onKey: (event: KeyboardEvent) => boolean
}) => {
  const say = useSay()
  const name = useId()
  const box = useRef<HTMLDivElement | null>(null)
  const { setNodeRef } = useDroppable({ id: CANVAS })
  return (
    <div className="cd-canvas" ref={setNodeRef}>
      <FirstFocus ready={blocks.length > 0} part={box} rows={box} />
      <div
        ref={box}
        className="cd-phone"
        role="grid"
        aria-colcount={1}
        aria-rowcount={blocks.length}
        tabIndex={0}
        aria-label={title}
        aria-describedby={name}
        aria-activedescendant={selected && `block-${selected}`}
        onKeyDown={event => {
          if (event.target !== event.currentTarget || !onKey(event)) return
          event.preventDefault()
          event.stopPropagation()
        }}
      >
        <SortableContext items={blocks.map(({ id }) => id)} strategy={verticalListSortingStrategy}>
          {blocks.map((block, at) => (
            <CanvasBlock
              key={block.id}
              block={block}
              at={at}
              name={nameOf(block)}
              isOn={block.id === selected}
              items={data?.blocks.find(one => one.id === block.id)?.items}
              faults={(data?.faults ?? [])
                .filter(fault => fault.block === block.id)
                .map(fault => fault.text)}
              select={() => select(block.id)}
            />
          ))}
        </SortableContext>
      </div>
      <p className="m-muted cd-hint" id={name}>
        {say([
          '↑↓ 选择，Alt+↑↓ 移动，Enter 编辑属性，Delete 删除，Ctrl+Z 撤销',
          '↑↓ choose, Alt+↑↓ move, Enter edits, Delete removes, Ctrl+Z undoes',
        ])}
      </p>
    </div>
  )
}
