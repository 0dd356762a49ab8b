import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { changeInitialPassword, login, toggleTheme } from '#commands/session.ts'
import type { Result, Write } from '#src/contract/call.ts'
import type { Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import { passwordFault, passwordRule } from '#src/domain/validate.ts'
import { send, type CallError } from '#src/kit/data.ts'
import { setLang, titleIn, useLang, useSay } from '#src/kit/text.ts'
import { session as calls } from '#src/modules/session/contract.ts'
import { useAppDispatch, useAppSelector } from '../store.ts'
import {
  chooseTheme,
  rememberedAccount,
  shownTheme,
  showLooks,
  stored,
  themeOf,
  themes,
  TOKEN,
  type Theme,
} from '../stored.ts'
import { toast } from '../toasts.tsx'
import { enter } from './session.ts'
import { workOn } from './work.ts'

type Welcome = Result<typeof calls.welcome>
type Faults = Partial<Record<'account' | 'password' | 'old' | 'fresh' | 'again', string>>

const themeNames: Record<Theme, Text> = {
  light: ['浅色', 'Light'],
  dark: ['深色', 'Dark'],
  system: ['跟随系统', 'System'],
}
const passwordEmpty: Text = ['请输入密码', 'Enter the password']
const samePassword: Text = ['新密码不能与旧密码相同', 'Choose a password other than the old one']
const wrongPassword = (password: string): Text | undefined =>
  password === '' ? passwordEmpty : passwordFault(password)

/**
 * The form's text exactly as typed; FormData would trim nothing, but a missing field must read as
 * empty.
 */
const field = (form: HTMLFormElement, name: string) => String(new FormData(form).get(name) ?? '')
const noWork: Text = [
  '浏览器无法完成登录验证，请换用新版 Chrome 或 Edge',
  'This browser can not do the sign-in check; use a current Chrome or Edge',
]
/**
 * Sends a call under a token that was not yet kept: until the initial password is changed it is
 * only lent.
 */
const callWith = async (lent: string, call: Write, input: unknown) => {
  stored.set(TOKEN, lent)
  try {
    return await send(call, input, { key: crypto.randomUUID() })
  } catch (fault) {
    stored.set(TOKEN, null)
    throw fault
  }
}

const Field = ({
  name,
  label,
  fault,
  hint,
  ...input
}: {
  name: string
  label: string
  fault?: string | undefined
  hint?: string | undefined
} & React.InputHTMLAttributes<HTMLInputElement>) => (
  <label className="s-field">
    <span id={`${name}-label`}>{label}</span>
    <input
      name={name}
      aria-labelledby={`${name}-label`}
      aria-invalid={fault ? true : undefined}
      aria-describedby={`${name}-note`}
      spellCheck={false}
      {...input}
    />
    <small
      id={`${name}-note`}
      role={fault ? 'alert' : undefined}
      data-fault={fault ? true : undefined}
    >
      {fault ?? hint ?? ''}
    </small>
  </label>
)

/**
 * The page at `/`: account and password, and a new password where the one given is the initial one.
 */
export const SignIn = () => {
  const say = useSay()
  const language = useLang()
  const dispatch = useAppDispatch()
  const fault = useAppSelector(state => state.session.fault)
  const [busy, setBusy] = useState(false)
  const [account, setAccount] = useState(rememberedAccount)
  const [password, setPassword] = useState('')
  const [capsLock, setCapsLock] = useState(false)
  const [faults, setFaults] = useState<Faults>({})
  const [message, setMessage] = useState('')
  const [watched, setWatched] = useState(false)
  const [changing, setChanging] = useState<{ token: string } | null>(null)
  const [welcome, setWelcome] = useState<Welcome | null>(null)
  const [theme, setTheme] = useState<Theme>(shownTheme)
  const form = useRef<HTMLFormElement>(null)

  useEffect(() => {
    let live = true
    // Without an answer the page works all the same; signing in will say what is wrong.
    send(calls.welcome, {}).then(
      answer => {
        if (live) setWelcome(answer as Welcome)
      },
      () => {},
    )
    return () => {
      live = false
    }
    // Asked again in the other language: the accounts' titles are the server's words.
  }, [language])
  useEffect(() => {
    const next = themeOf(account)
    setTheme(next)
    showLooks(account)
  }, [account])
  useEffect(() => {
    const first = account ? 'password' : 'account'
    form.current?.querySelector<HTMLInputElement>(`[name=${changing ? 'fresh' : first}]`)?.focus()
  }, [changing])

  const refused = async (error: CallError) => {
    // How many tries are left is in the server's own words.
    const data = (error.data ?? {}) as {
      captcha_required?: boolean
      locked_until?: number
      fields?: Faults
    }
    const until = data.locked_until && timeFull(data.locked_until).slice(11, 16)
    const message =
      until && !error.message.includes(until)
        ? error.message + say(['，{time} 后可再试', '; try again after {time}'], { time: until })
        : error.message
    setMessage(message)
    toast(message, 'danger')
    setFaults(data.fields ?? {})
    if (data.captcha_required) setWatched(true)
    if (!error.lost) {
      setPassword('')
      form.current?.querySelector<HTMLInputElement>('[name=password]')?.focus()
    }
  }
  /** A challenge and its answer, as the sign-in sends them after wrong tries. */
  const workDone = async () => {
    const challenge = (await send(calls.captcha, {})) as Result<typeof calls.captcha>
    const captcha = await workOn(challenge).catch(() => {
      throw Object.assign(new Error(say(noWork)), { lost: true })
    })
    return { captcha_id: challenge.captcha_id, captcha }
  }
  const tryWith = async (work: boolean) =>
    (await send(calls.login, {
      account: account.trim(),
      password,
      ...(work && (await workDone())),
    })) as Result<typeof calls.login>
  const worded = (name: keyof Faults, fault: Text | undefined): Faults =>
    fault ? { [name]: say(fault) } : {}
  const signIn = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy) return
    const wrong: Faults = {
      ...(account.trim() ? {} : { account: say(['请输入账号', 'Enter the account']) }),
      ...worded('password', wrongPassword(password)),
    }
    setFaults(wrong)
    setMessage('')
    const first = Object.keys(wrong)[0]
    if (first) {
      event.currentTarget.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
      return
    }
    setBusy(true)
    try {
      const answer = await tryWith(watched).catch(async (error: unknown) => {
        // After a reload only the server knows that this account is watched.
        if (watched || (error as CallError).data?.['rule'] !== 'captcha') throw error
        setWatched(true)
        return tryWith(true)
      })
      if (answer.must_change) setChanging({ token: answer.token })
      else await dispatch(enter({ token: answer.token, account: account.trim() }))
    } catch (error) {
      await refused(error as CallError)
    } finally {
      setBusy(false)
    }
  }
  const change = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy || !changing) return
    const fresh = field(event.currentTarget, 'fresh')
    const wrong: Faults = {
      ...worded('fresh', wrongPassword(fresh) ?? (fresh === password ? samePassword : undefined)),
      ...(field(event.currentTarget, 'again') === fresh
        ? {}
        : { again: say(['两次输入不一致', 'The two differ']) }),
    }
    setFaults(wrong)
    setMessage('')
    if (Object.keys(wrong).length) return
    setBusy(true)
    try {
      await callWith(changing.token, calls.changeInitialPassword, {
        old_password: password,
        new_password: fresh,
      })
      await dispatch(enter({ token: changing.token, account: account.trim() }))
    } catch (error) {
      const { message: words, data } = error as CallError
      setMessage(words)
      setFaults(data?.fields?.new_password ? { fresh: data.fields.new_password } : {})
    } finally {
      setBusy(false)
    }
  }
  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  const fillIn = (name: string) => {
    setAccount(name)
    setPassword(welcome?.demo?.password ?? '')
    setFaults({})
    setMessage('')
  }
  const fillByKey = (event: KeyboardEvent) => {
    const demo =
      event.altKey && /^Digit[1-9]$/.test(event.code)
        ? welcome?.demo?.accounts[Number(event.code.slice(5)) - 1]
        : undefined
    if (!demo) return
    event.preventDefault()
    fillIn(demo.account)
    form.current?.querySelector<HTMLInputElement>('[name=password]')?.focus()
  }

  return (
    <main className="s-signin" onKeyDown={fillByKey}>
      <div className="s-signin-top">
        <div role="radiogroup" aria-label={titleIn(toggleTheme, language)} className="s-choice">
          {themes.map(name => (
            <label key={name}>
              <input
                type="radio"
                name="theme"
                checked={theme === name}
                onChange={() => {
                  setTheme(name)
                  chooseTheme(account, name)
                }}
              />
              <span>{say(themeNames[name])}</span>
            </label>
          ))}
        </div>
        <button
          type="button"
          className="s-plain"
          lang={language === 'zh' ? 'en' : 'zh-CN'}
          onClick={() => setLang(language === 'zh' ? 'en' : 'zh')}
        >
          {language === 'zh' ? 'English' : '中文'}
        </button>
      </div>
      <form
        ref={form}
        className="s-signin-form"
        noValidate
        onSubmit={event => void (changing ? change(event) : signIn(event))}
        aria-busy={busy}
      >
        <h1>
          <b>Mallet</b> {say(['运营工作台', 'Operations workbench'])}
        </h1>
        {changing ? (
          <>
            <p>
              {say([
                '当前是初始密码，请先设置自己的密码。',
                'This is an initial password: choose your own first.',
              ])}
            </p>
            <input type="hidden" autoComplete="username" value={account} readOnly />
            <Field
              key="fresh"
              name="fresh"
              type="password"
              autoComplete="new-password"
              label={say(['新密码', 'New password'])}
              fault={faults.fresh}
              hint={say(passwordRule)}
            />
            <Field
              key="again"
              name="again"
              type="password"
              autoComplete="new-password"
              label={say(['再输一次', 'Once more'])}
              fault={faults.again}
            />
          </>
        ) : (
          <>
            <Field
              key="account"
              name="account"
              autoComplete="username"
              autoCapitalize="off"
              label={say(['账号', 'Account'])}
              value={account}
              onChange={event => setAccount(event.target.value)}
              fault={faults.account}
              maxLength={32}
            />
            <Field
              key="password"
              name="password"
              type="password"
              autoComplete="current-password"
              label={say(['密码', 'Password'])}
              value={password}
              onChange={event => setPassword(event.target.value)}
              onKeyDown={watchCapsLock}
              onKeyUp={watchCapsLock}
              onBlur={() => setCapsLock(false)}
              fault={faults.password}
              hint={capsLock ? say(['大写锁定已打开', 'Caps Lock is on']) : undefined}
            />
          </>
        )}
        <p className="s-fault" role="alert">
          {message || fault?.message || ''}
        </p>
        <button type="submit" className="s-submit" disabled={busy}>
          {busy
            ? say(watched ? ['正在验证…', 'Checking…'] : ['请稍候…', 'One moment…'])
            : titleIn(changing ? changeInitialPassword : login, language)}
        </button>
        {changing && (
          <button
            type="button"
            className="s-plain"
            onClick={() => {
              setChanging(null)
              setPassword('')
              setFaults({})
              setMessage('')
            }}
          >
            {say(['返回', 'Back'])}
          </button>
        )}
        {!changing && welcome?.demo && (
          <section className="s-demo" aria-label={say(['演示账号', 'Demo accounts'])}>
            <h2>
              {say(['演示账号', 'Demo accounts'])}
              <span>
                {say(['密码', 'Password'])} <code>{welcome.demo.password}</code>
              </span>
            </h2>
            {welcome.demo.accounts.map(({ account: name, title }, i) => (
              <button
                type="button"
                key={name}
                onClick={() => fillIn(name)}
                aria-keyshortcuts={`Alt+${i + 1}`}
              >
                <b>{name}</b>
                <span>{title}</span>
                <kbd>Alt {i + 1}</kbd>
              </button>
            ))}
          </section>
        )}
      </form>
    </main>
  )
}
