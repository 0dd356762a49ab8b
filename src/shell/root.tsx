import { Activity, useEffect, useRef } from 'react'
import { useLocation, useSearch } from 'wouter'
import { loadable } from '#src/kit/loadable.tsx'
import { useSay } from '#src/kit/text.ts'
import { HOME, safeReturn, screenOf, tidy } from './address.ts'
import { useLocked } from './session/lock.ts'
import { lookUp, keepReading, signInAgain } from './session/session.ts'
import { SignIn } from './session/sign-in.tsx'
import { useAppDispatch, useAppSelector } from './store.ts'
import { Toasts } from './toasts.tsx'

const Blank = () => <main className="s-blank" aria-busy="true" />
const LockScreen = loadable(async () => (await import('./workbench.tsx')).LockScreen, <Blank />)
export const Workbench = loadable(
  async () => {
    // What covers the work is at hand before any of it is drawn.
    await LockScreen.preload()
    return (await import('./workbench.tsx')).Workbench
  },
  <Blank />,
)
const ErrorScreen = loadable(
  async () => (await import('./session/error-screen.tsx')).ErrorScreen,
  <Blank />,
)

/**
 * Specification, section 8: the one question of a session that is over. Cancel leaves the page to
 * be read.
 */
const EndedDialog = () => {
  const say = useSay()
  const dispatch = useAppDispatch()
  const ended = useAppSelector(state => state.session.ended)
  const box = useRef<HTMLDialogElement>(null)
  const asked = ended?.asked === true
  useEffect(() => {
    if (!asked || !box.current) return
    const before = document.activeElement
    box.current.showModal()
    // The browser would take the first button: Enter is to sign in again.
    box.current.querySelector<HTMLElement>('.s-primary')?.focus()
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [asked])
  const again = () => void dispatch(signInAgain())
  if (!ended) return null
  if (!asked) {
    return (
      <div className="s-strip" role="status">
        {say([
          '登录已失效，当前内容只供查看。',
          'Your login has expired; what is open can only be read.',
        ])}
        <button type="button" onClick={again}>
          {say(['重新登录', 'Sign in again'])}
        </button>
      </div>
    )
  }
  return (
    <dialog
      ref={box}
      className="s-dialog"
      aria-labelledby="ended-title"
      aria-describedby="ended-text"
      onCancel={event => {
        event.preventDefault()
        dispatch(keepReading())
      }}
    >
      <h2 id="ended-title">{say(['确认退出？', 'Sign out?'])}</h2>
      <p id="ended-text">{say(['登录已失效', 'Your login has expired'])}</p>
      <footer>
        <button type="button" onClick={() => dispatch(keepReading())}>
          {say(['取消', 'Cancel'])}
        </button>
        <button type="button" className="s-primary" onClick={again}>
          {say(['重新登录', 'Sign in again'])}
        </button>
      </footer>
    </dialog>
  )
}

/** The session could not be looked up: not the person's fault, so nothing is thrown away. */
const NoAnswer = ({ message }: { message: string }) => {
  const say = useSay()
  const dispatch = useAppDispatch()
  return (
    <main className="s-blank" role="alert">
      <p>{message}</p>
      <button type="button" className="s-submit" autoFocus onClick={() => void dispatch(lookUp())}>
        {say(['重试', 'Retry'])}
      </button>
    </main>
  )
}
/** Stands where neither the workbench nor the sign-in can stand yet. */
const Waiting = ({ fault, ended }: { fault: string | undefined; ended: boolean }) => {
  if (fault !== undefined) return <NoAnswer message={fault} />
  return ended ? null : <Blank />
}

/**
 * Which screen stands: sign-in, the workbench or the error page. The workbench stays, hidden, while
 * its person signs in again.
 */
export const Root = () => {
  const { phase, me, person, fault, ended } = useAppSelector(state => state.session)
  const [path, go] = useLocation()
  const search = useSearch()
  const href = search ? `${path}?${search}` : path
  const screen = screenOf(href)
  const signedIn = phase === 'in'
  const locked = useLocked(me?.id)

  useEffect(() => {
    if (phase === 'starting') return
    if (signedIn) {
      if (screen === 'root' || screen === 'login')
        go(safeReturn(new URLSearchParams(search).get('to')) ?? HOME, { replace: true })
    } else if (screen === 'manage') {
      // Specification, section 6: without a token to the root path, unless the address contains
      // `login`.
      if (!href.toLowerCase().includes('login'))
        go(/^\/manage\/?$/i.test(href) ? '/' : `/?to=${encodeURIComponent(tidy(href))}`, {
          replace: true,
        })
    }
    // Section 2: an unknown path is sent to /error, whoever asks for it.
    if (screen === 'unknown') go(`/error?path=${encodeURIComponent(tidy(href))}`, { replace: true })
  }, [phase, signedIn, screen, href, search, go])

  // At an address that is about to be left for another it is not begun: it would begin with the
  // wrong one. Where it stands, it stays.
  const stands = useRef<typeof person>(undefined)
  if (me && (screen === 'manage' || screen === 'error')) stands.current = person
  const outside = phase === 'out' ? 'sign-in' : 'waiting'
  const inside = signedIn ? 'workbench' : outside
  const shows = screen === 'error' ? 'error' : inside
  return (
    <>
      {shows === 'sign-in' && <SignIn />}
      {shows === 'waiting' && <Waiting fault={fault?.message} ended={Boolean(ended)} />}
      {me && stands.current === person && (
        <Activity mode={shows === 'workbench' ? 'visible' : 'hidden'}>
          <Workbench key={person} />
        </Activity>
      )}
      {shows === 'error' && <ErrorScreen />}
      {me && signedIn && locked && <LockScreen me={me} />}
      <EndedDialog />
      <Toasts />
    </>
  )
}
