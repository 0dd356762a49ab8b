import { loggedAs, to, type Given, type Page } from '#commands/command.ts'
import { CHANNELS } from '#src/areas/workbench/layout.ts'
import { say } from '#src/domain/text.ts'
import { REST_MS } from '#src/kit/rested.ts'
import { lang } from '#src/kit/text.ts'
import { searchOf } from '../address.ts'
import { pageKey, type Desk } from '../desk.ts'
import { pages, spelled } from '../registry.ts'
import type { Store } from '../store.ts'
import { toast } from '../toasts.tsx'
import { boxes, type PaneId } from './tree.ts'
import { poppedFrom, type WindowLine } from './windows.ts'
import { workspace } from './workspace.ts'

/**
 * The row that the page in a pane is about; undefined for none, for several, and for one that is no
 * object of the operation log.
 */
const givenBy = (desk: Desk, pane: PaneId): Given | undefined => {
  const page = desk.page(pane)
  const { rows } = desk.stage(pane).subject
  const is = page && rows.length === 1 ? loggedAs(page, rows[0]) : undefined
  return is && { type: is[0], id: is[1], row: rows[0] }
}
/**
 * Where a page shows a row; undefined where it shows nothing of it, or its person may not open it.
 * What a pane asked of the page beside stays asked.
 */
const placeIn = (desk: Desk, page: Page, given: Given, now = ''): string | undefined => {
  const query = page.follows?.(given)
  if (!query || !desk.me.can(page.permit)) return undefined
  const asked = Object.fromEntries([...new URLSearchParams(now)].filter(([key]) => key !== 'page'))
  return to(
    page,
    Object.fromEntries(Object.entries({ ...asked, ...query }).filter(([, value]) => value !== '')),
  )
}
/** Where a row has a page of its own: what is opened beside a list to follow it. */
const ownPlace = (desk: Desk, given: Given): string | undefined => {
  for (const page of pages) {
    const at = page.menu ? undefined : placeIn(desk, page, given)
    if (at) return at
  }
  return undefined
}
/**
 * Where a pane would go for a row; undefined where it shows it already or nothing of it. One
 * record's page gives way to that of another kind of the same object.
 */
const wayOf = (desk: Desk, pane: PaneId, given: Given): string | undefined => {
  const page = desk.page(pane)
  const at =
    page &&
    (placeIn(desk, page, given, page.menu ? searchOf(desk.pane(pane)!.at) : '') ??
      (!page.menu && page.object === given.type ? ownPlace(desk, given) : undefined))
  return at && spelled(at) !== desk.pane(pane)?.at ? at : undefined
}

/**
 * Panes on one channel follow the row of the one in front, as soon as it has rested on it, in
 * whichever window they stand. Only the pane in front of the window that was used last tells, so
 * that no two ever chase each other; one that comes late, or was covered, gets the row of its
 * channel at once; one with something half written in it stays. Answers how to stop.
 */
export const linkPanes = (store: Store, desk: Desk, line?: WindowLine): (() => void) => {
  const present = new Map<number, Given>()
  const settle = (but: PaneId | null) => {
    const { byId, tree, maximised } = desk.workspace
    const others = Object.entries(byId).filter(
      ([id, { channel }]) => channel !== undefined && id !== but,
    )
    const shown = others.length > 0 ? boxes(maximised ?? tree) : {}
    for (const [id, { channel }] of others) {
      const given = shown[id] && present.get(channel!)
      const at = given && wayOf(desk, id, given)
      if (at && desk.stage(id).unsaved.length === 0) desk.go(id, at, true)
    }
  }
  let speaks = poppedFrom() === null
  const used = () => {
    if (!speaks) {
      speaks = true
      line?.tell({ kind: 'speaks' })
      tell()
    }
  }
  for (const name of ['pointerdown', 'keydown']) addEventListener(name, used, true)
  const unheard = line?.hear(told => {
    if (told.kind === 'speaks') speaks = false
    // A window that just came gets what the channels show.
    else if (told.kind === 'hello') {
      for (const [channel, given] of present) line.tell({ kind: 'given', channel, given })
    } else if (told.kind === 'given') {
      present.set(told.channel, told.given)
      settle(speaks ? desk.workspace.focused : null)
    }
  })
  let rest: ReturnType<typeof setTimeout> | undefined
  const tell = () => {
    clearTimeout(rest)
    rest = setTimeout(() => {
      const front = desk.workspace.focused
      const channel = desk.pane()?.channel
      const given =
        !speaks || front === null || channel === undefined ? undefined : givenBy(desk, front)
      if (given) {
        present.set(channel!, given)
        line?.tell({ kind: 'given', channel: channel!, given })
      }
      settle(speaks ? front : null)
    }, REST_MS)
  }
  let hearing = ''
  let deafen = () => {}
  const hear = () => {
    const front = desk.workspace.focused
    const name = front === null ? '' : `${front} ${pageKey(desk.pane(front)?.at ?? '')}`
    if (name !== hearing) {
      deafen()
      hearing = name
      deafen = front === null ? () => {} : desk.stage(front).subscribe(tell)
    }
    tell()
  }
  hear()
  let last = desk.workspace
  const stop = store.subscribe(() => {
    if (desk.workspace !== last) {
      last = desk.workspace
      hear()
    }
  })
  return () => {
    stop()
    deafen()
    clearTimeout(rest)
    unheard?.()
    for (const name of ['pointerdown', 'keydown']) removeEventListener(name, used, true)
  }
}

/**
 * Opens the page of the row in front beside its list, both on one channel, the focus staying where
 * it is.
 */
export const followBeside = (dispatch: Store['dispatch'], desk: Desk) => {
  const front = desk.workspace.focused
  const given = front === null ? undefined : givenBy(desk, front)
  const at = given && ownPlace(desk, given)
  if (front === null || !at) {
    toast(
      say(['没有可跟随当前行的详情页', 'No page can follow what has the focus'], lang()),
      'warning',
    )
    return
  }
  const taken = new Set(Object.values(desk.workspace.byId).map(pane => pane.channel))
  const channel = desk.pane(front)?.channel ?? CHANNELS.find(one => !taken.has(one)) ?? CHANNELS[0]
  desk.open(at, 'beside', front)
  for (const pane of [front, desk.workspace.focused!]) dispatch(workspace.linked({ pane, channel }))
  dispatch(workspace.focused(front))
}
