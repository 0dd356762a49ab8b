import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { lockScreen as lock, signOut as leave } from '#commands/shell.ts'
import { isSessionCode } from '#src/contract/envelope.ts'
import { passwordPattern } from '#src/domain/validate.ts'
import { send, type CallError } from '#src/kit/data.ts'
import { giveBack } from '#src/kit/focus.ts'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { person as calls } from '#src/modules/session/contract.ts'
import { useAppDispatch } from '../store.ts'
import { unlockScreen } from './lock.ts'
import { sessionEnded, signOut, type MeFacts } from './session.ts'

/**
 * A dialog of the browser's own, over all else and with everything else inert. What is behind it is
 * hidden too, keeps its place, and gets the focus back.
 */
const useCurtain = () => {
  const box = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const before = document.activeElement
    const page = document.documentElement
    page.dataset['locked'] = ''
    const dialog = box.current
    dialog?.showModal()
    return () => {
      delete page.dataset['locked']
      // As long as it is open, what is behind it takes no focus.
      dialog?.close()
      giveBack(before)
    }
  }, [])
  return box
}

/** The password as it is typed, what is wrong with it, and the try itself. */
const useUnlocking = () => {
  const say = useSay()
  const dispatch = useAppDispatch()
  const field = useRef<HTMLInputElement>(null)
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState('')
  const [busy, setBusy] = useState(false)
  useEffect(() => field.current?.focus(), [])
  const refuse = (words: string) => {
    setFault(words)
    setPassword('')
    field.current?.focus()
  }
  const unlock = async () => {
    if (busy) return
    if (!passwordPattern.test(password)) {
      refuse(say(['请输入正确的登录密码', 'Enter the password that you sign in with']))
      return
    }
    setBusy(true)
    try {
      await send(calls.unlock, { password })
      unlockScreen()
    } catch (thrown) {
      const error = thrown as CallError
      setBusy(false)
      refuse(error.message)
      if (isSessionCode(error.status)) dispatch(sessionEnded(error))
    }
  }
  return { field, password, setPassword, fault, busy, unlock }
}

/** What stands in place of the work while it is locked: whose it is, and their password. */
export const LockScreen = ({ me }: { me: MeFacts }) => {
  const say = useSay()
  const now = useLang()
  const dispatch = useAppDispatch()
  const box = useCurtain()
  const { field, password, setPassword, fault, busy, unlock } = useUnlocking()
  return (
    <dialog
      ref={box}
      className="s-lock"
      aria-labelledby="lock-title"
      onCancel={event => event.preventDefault()}
      // Escape pressed twice closes a browser's dialog whatever is said of it.
      onClose={() => box.current?.showModal()}
      onKeyDown={event => {
        if (event.key === 'Escape') event.preventDefault()
        // The workbench hears keys above this.
        event.stopPropagation()
      }}
    >
      <form
        className="s-signin-form"
        noValidate
        onSubmit={event => {
          event.preventDefault()
          void unlock()
        }}
      >
        <h1 id="lock-title">
          <b>Mallet</b>
          {titleIn(lock, now)}
        </h1>
        <p>
          {me.name} · {me.account}
        </p>
        <input hidden autoComplete="username" value={me.account} readOnly />
        <label className="s-field">
          <span id="lock-label">{say(['登录密码', 'Password'])}</span>
          <input
            ref={field}
            type="password"
            autoComplete="current-password"
            aria-labelledby="lock-label"
            aria-describedby="lock-note"
            aria-invalid={fault ? true : undefined}
            value={password}
            onChange={event => setPassword(event.target.value)}
          />
          <small id="lock-note" role={fault ? 'alert' : undefined} data-fault={fault || undefined}>
            {fault || say(['输入密码后回到原来的工作', 'It opens where you left'])}
          </small>
        </label>
        <button type="submit" className="s-submit" disabled={busy}>
          {say(['解锁', 'Unlock'])}
        </button>
        <button type="button" className="s-plain" onClick={() => void dispatch(signOut())}>
          {titleIn(leave, now)}
        </button>
      </form>
    </dialog>
  )
}
