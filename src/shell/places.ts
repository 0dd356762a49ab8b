import { pinPage, unpinPage } from '#commands/home.ts'
import { say, type Text } from '#src/domain/text.ts'
import { dispatchRead, dispatchWrite } from '#src/kit/data.ts'
import { lang } from '#src/kit/text.ts'
import { home } from '#src/modules/home/contract.ts'
import { session } from '#src/modules/session/contract.ts'
import { HOME, pathOf } from './address.ts'
import type { Desk } from './desk.ts'
import { opensAlone, pageAt } from './registry.ts'
import type { Store } from './store.ts'
import { stored } from './stored.ts'
import { toast } from './toasts.tsx'

const MOST = 8
const PINS = 30
const key = (account: string) => `mallet.recent:${account}`
const isList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(one => typeof one === 'string')
/** The pages a person was on last on this machine, the newest first. */
export const recentPaths = (account: string): string[] => stored.json(key(account), isList) ?? []

/** Notes which page is in front, as it changes. Answers how to stop. */
export const noteRecent = (store: Store, desk: Desk): (() => void) => {
  let last = ''
  const look = () => {
    const page = pageAt(desk.pane()?.at ?? '')
    if (!page || page.path === last) return
    last = page.path
    // The workbench itself, and pages of one record, are no places to return to.
    if (page.path === HOME || !opensAlone(page) || !desk.me.can(page.permit)) return
    stored.set(
      key(desk.me.account),
      JSON.stringify(
        [page.path, ...recentPaths(desk.me.account).filter(path => path !== page.path)].slice(
          0,
          MOST,
        ),
      ),
    )
  }
  look()
  return store.subscribe(look)
}

/**
 * Carries out pinning and unpinning of the page in front: kept on the server, so that it is there
 * on every machine. Answers how to stop.
 */
export const carryOutPinning = (store: Store, desk: Desk): (() => void) => {
  const tell = (text: Text, values?: Record<string, string>) =>
    toast(say(text, lang(), values), 'success')
  const change = (pin: boolean) => async () => {
    const page = desk.page()
    const path = page && pathOf(desk.pane()?.at ?? '')
    if (!page || path === undefined) return
    const title = lang() === 'en' ? page.en : page.title
    const { settings } = await dispatchRead(store.dispatch, session.me, {}, true)
    const others = settings.pinned_paths.filter(one => one !== path)
    if (pin && others.length >= PINS) {
      toast(
        say(['最多固定 {n} 个页面，请先取消一些', 'At most {n} pages can be pinned'], lang(), {
          n: PINS,
        }),
        'warning',
      )
      return
    }
    await dispatchWrite(store.dispatch, home.saveSettings, {
      pinned_paths: pin ? [...others, path] : others,
    })
    tell(
      pin
        ? ['已固定到工作台：{title}', 'Pinned to the workbench: {title}']
        : ['已取消固定：{title}', 'Unpinned: {title}'],
      { title },
    )
  }
  // What went wrong has been told by then.
  const quietly = (does: () => Promise<void>) => () => void does().catch(() => {})
  const stop = [
    desk.global(pinPage.id, quietly(change(true))),
    desk.global(unpinPage.id, quietly(change(false))),
  ]
  return () => {
    for (const one of stop) one()
  }
}
