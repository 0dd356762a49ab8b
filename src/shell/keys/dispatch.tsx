import { useEffect, useMemo, useRef, useState } from 'react'
import { useHotkeys } from 'react-hotkeys-hook'
import type { Action, Page } from '#commands/command.ts'
import { lockScreen, palette } from '#commands/shell.ts'
import { say } from '#src/domain/text.ts'
import { isComposing, isTyping } from '#src/kit/composing.ts'
import { inPopover, modalLayer, topLayer } from '#src/kit/layers.ts'
import { lang, titleIn, useLang, useSay } from '#src/kit/text.ts'
import { useDesk, type Desk, type Offer } from '../desk.ts'
import { bodyOf } from '../panes/focus-memory.ts'
import { pages } from '../registry.ts'
import { toast } from '../toasts.tsx'
import { isOwn, keysFor, keySettings } from './bound.ts'
import { byAltGr, keyLabel, Keymap, parse, strokesOf, type Found, type Stroke } from './strokes.ts'

export type Doing = { kind: 'action'; offer: Offer } | { kind: 'page'; page: Page }

/**
 * What every key does now: the focused pane's actions, the pages one may open, the workbench's own.
 */
export const bindingsNow = (desk: Desk): { keys: string; does: Doing }[] =>
  [
    ...desk.offers().map(offer => ({ of: offer.action, does: { kind: 'action' as const, offer } })),
    ...pages
      .filter(page => desk.me.can(page.permit))
      .map(page => ({ of: page, does: { kind: 'page' as const, page } })),
  ]
    .flatMap(({ of, does }) => {
      const keys = keysFor(of)
      return keys ? [{ keys, does, own: isOwn(of) }] : []
    })
    // What a person chose comes before what a new release would like to have.
    .sort((a, b) => Number(b.own) - Number(a.own))

/** Keys that a focused control takes for itself. */
const ownKeys = (target: EventTarget | null, stroke: Stroke): boolean => {
  if (!(target instanceof HTMLElement)) return false
  if (target.closest('[role=menu], [role=listbox], [role=radiogroup]')) return true
  return (
    (stroke === 'enter' || stroke === 'space') &&
    target.closest(
      'button, a[href], summary, [role=button], [role=tab], [role=separator], input',
    ) !== null
  )
}

/** Whether a press is the whole of an action's keys. */
const isPressOf = (action: Action, strokes: readonly Stroke[]): boolean => {
  const keys = keysFor(action)
  return keys !== undefined && strokes.includes(parse(keys).join(' '))
}
/** Over what is modal the palette does not come; the browser must not take its key instead. */
const refusePalette = (event: KeyboardEvent, layer: Element) => {
  event.preventDefault()
  if (!layer.matches('[data-palette]'))
    toast(
      say(
        [
          '请先完成或关闭当前窗口（Esc），再打开命令面板',
          'Finish or close this window first (Esc), then open the palette',
        ],
        lang(),
      ),
    )
}
/**
 * Whether a press fell beside a layer: one that came this instant has not got the focus yet. A
 * popover leaves the panes their keys.
 */
const fellBeside = (target: EventTarget | null, layer: Element): boolean =>
  inPopover(layer)
    ? target === document.body
    : target instanceof Element &&
      !layer.contains(target) &&
      target.closest('.bp6-portal, [role=dialog], dialog') === null
/** Escape means the layer all the same. */
const escapeOn = (layer: Element) =>
  (layer.querySelector('[cmdk-input], .bp6-popover-content > *') ?? layer).dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }),
  )

/**
 * Whether a press belongs to what stands over the panes, or is about to; it is answered for here.
 */
const goesToLayer = (event: KeyboardEvent, strokes: readonly Stroke[], desk: Desk): boolean => {
  const top = topLayer()
  if (top && strokes[0] === 'escape' && fellBeside(event.target, top)) {
    escapeOn(top)
    return true
  }
  const toPalette = isPressOf(palette, strokes)
  const modal = top && modalLayer()
  if (modal) {
    if (toPalette) refusePalette(event, modal)
    return true
  }
  // Blueprint draws a question two turns after it is asked: until then no key may fall on the list
  // behind it.
  if (desk.isAsking) {
    event.preventDefault()
    return true
  }
  // A popover has the keys while it has the focus; the palette comes over it.
  return inPopover(event.target) && !toPalette
}

/**
 * Whether a press belongs to the field it fell into: a field owns the keyboard, but for chords that
 * make no text. Escape leaves the field.
 */
const goesToField = (event: KeyboardEvent, strokes: readonly Stroke[], desk: Desk): boolean => {
  if (!isTyping(event.target)) return false
  const first = strokes[0]!
  // Option and a letter make one of another alphabet on a Mac.
  if (/^alt\+(shift\+)?.$/.test(first)) return true
  const isChord = !byAltGr(event) && (first.startsWith('mod+') || first.startsWith('alt+'))
  // In a field, Mod+Z is the field's.
  if (isChord) return strokes.includes('mod+z')
  if (first === 'escape') {
    ;(event.target as HTMLElement).blur()
    bodyOf(desk.workspace.focused ?? '')?.focus({ preventScroll: true })
  }
  return true
}
const isMove = (does: Doing): boolean =>
  does.kind === 'action' &&
  /^list\.(next|previous|extend)|^workbench\.(wider|narrower|taller|shorter)/.test(
    does.offer.action.id,
  )

/**
 * The one dispatcher of keys. A press that ends a binding fires at once; one that only begins some
 * shows what may follow.
 */
export const Keys = () => {
  const desk = useDesk()
  const [pending, setPending] = useState<Extract<Found<Doing>, { kind: 'prefix' }> | null>(null)
  const presses = useRef<Stroke[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const rest = () => {
    presses.current = []
    clearTimeout(timer.current)
    setPending(null)
  }
  useEffect(() => rest, [])

  useHotkeys(
    '*',
    event => {
      // An input method at work keeps all keys, also those that its field leaves.
      if (isComposing(event) || event.defaultPrevented) return
      const strokes = strokesOf(event)
      if (strokes.length === 0) return
      if (isPressOf(lockScreen, strokes)) {
        event.preventDefault()
        desk.perform({ action: lockScreen, rows: [] })
        return
      }
      const toPalette = isPressOf(palette, strokes)
      if (goesToLayer(event, strokes, desk)) return
      if (goesToField(event, strokes, desk)) return
      if (presses.current.length > 0 && strokes[0] === 'escape') {
        rest()
        event.preventDefault()
        return
      }
      if (
        presses.current.length === 0 &&
        !toPalette &&
        strokes.some(stroke => ownKeys(event.target, stroke))
      )
        return
      const map = new Keymap(bindingsNow(desk))
      const found = strokes
        .map(stroke => map.find([...presses.current, stroke]))
        .find(one => one.kind !== 'none') ?? { kind: 'none' as const }
      if (found.kind === 'none') {
        if (presses.current.length > 0) {
          rest()
          event.preventDefault()
        }
        return
      }
      event.preventDefault()
      if (found.kind === 'prefix') {
        presses.current = found.presses
        clearTimeout(timer.current)
        const { wait_ms } = keySettings.get()
        if (wait_ms > 0) timer.current = setTimeout(rest, wait_ms)
        setPending(found)
        return
      }
      rest()
      // A key held down decides once: only moving repeats.
      if (event.repeat && !isMove(found.does)) return
      if (found.does.kind === 'page') desk.visit(found.does.page.path)
      else desk.perform(found.does.offer)
    },
    { enableOnFormTags: true, enableOnContentEditable: true },
    [desk],
  )

  return pending && <WhichKey found={pending} />
}

/** What may follow the keys pressed so far. */
const WhichKey = ({ found }: { found: Extract<Found<Doing>, { kind: 'prefix' }> }) => {
  const say = useSay()
  const now = useLang()
  const names = useMemo(
    () =>
      [...found.next]
        .sort((a, b) => a.stroke.length - b.stroke.length || (a.stroke < b.stroke ? -1 : 1))
        .map(({ stroke, does, more }) => ({
          stroke,
          title:
            does === undefined
              ? say(['还有 {n} 项…', '{n} more…'], { n: more })
              : titleIn(does.kind === 'page' ? does.page : does.offer.action, now),
        })),
    [found, now, say],
  )
  return (
    <div className="s-whichkey" role="status">
      <b>{found.presses.map(keyLabel).join(' ')}</b>
      {names.map(({ stroke, title }) => (
        <span key={stroke}>
          <kbd className="m-key">{keyLabel(stroke)}</kbd>
          {title}
        </span>
      ))}
      <span>
        <kbd className="m-key">Esc</kbd>
        {say(['取消', 'Cancel'])}
      </span>
    </div>
  )
}
