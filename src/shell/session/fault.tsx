import { useState } from 'react'
import type { Page } from '#commands/command.ts'
import * as screen from '#commands/session.ts'
import type { Text } from '#src/domain/text.ts'
import { send, type CallError } from '#src/kit/data.ts'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { session as calls } from '#src/modules/session/contract.ts'
import { HOME } from '../address.ts'
import { useGrantedBy } from '../grantors.ts'
import { pageAt } from '../registry.ts'
import { useAppSelector } from '../store.ts'
import { toast } from '../toasts.tsx'
import { nearest } from './nearest.ts'
import './fault.css'

export type Why = 'missing' | 'denied' | 'chunk' | 'crash'
const words: Record<Why, [Text, Text]> = {
  missing: [
    ['没有这个页面', 'No such page'],
    ['地址可能有误，或页面已移走。', 'The address may be wrong, or the page has moved.'],
  ],
  // The title of a page that may not be opened is not named.
  denied: [
    ['没有权限打开此页', 'You may not open this page'],
    ['可在「角色权限」中为你的角色开通此页面。', 'It can be granted to your role.'],
  ],
  chunk: [
    ['页面代码没有加载成功', 'The page’s code did not load'],
    [
      '可能刚发布了新版本，或网络中断。重试不成功时请重新加载；填写的内容会保留。',
      'A new version may be out, or the network is down. Reload if a retry fails; drafts are kept.',
    ],
  ],
  crash: [
    ['页面出错了', 'The page failed'],
    [
      '其他窗格不受影响。错误已上报，可重试或返回。',
      'Other panes go on. The fault was reported; retry or go back.',
    ],
  ],
}
const kinds = {
  missing: 'not_found',
  denied: 'no_permission',
  chunk: 'chunk',
  crash: 'crash',
} as const

const Near = ({ pages }: { pages: readonly Page[] }) => {
  const now = useLang()
  return (
    <ul aria-label={titleIn(screen.suggest, now)}>
      {pages.map(page => (
        <li key={page.path}>
          <a href={page.path}>
            {titleIn(page, now)}
            <span>{page.path}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

/**
 * What went wrong with a page: which of the four it is, the address asked for, the nearest pages
 * and ways out. Stands in a pane or on the page `/error`.
 */
export const Fault = ({
  why,
  path,
  retry,
  back = () => history.back(),
}: {
  why: Why
  path: string
  retry?: () => void
  back?: () => void
}) => {
  const say = useSay()
  const now = useLang()
  const permits = useAppSelector(state => state.session.me?.permits)
  const [reported, setReported] = useState(false)
  const [title, text] = words[why]
  const grantedBy = useGrantedBy(
    why === 'denied' && permits ? (pageAt(path)?.permit ?? '') : undefined,
  )
  const near = why === 'missing' || why === 'denied' ? nearest(path, permits ?? []) : []
  const report = async () => {
    try {
      const { kept } = (await send(
        calls.reportError,
        { kind: kinds[why], path: path.slice(0, 255) },
        { key: crypto.randomUUID() },
      )) as { kept: boolean }
      setReported(true)
      toast(
        kept
          ? say(['已上报，谢谢', 'Reported, thank you'])
          : say(['上报过于频繁，请稍后再试', 'Too many reports, try later']),
        kept ? 'success' : 'warning',
      )
    } catch (fault) {
      toast((fault as CallError).message, 'danger')
    }
  }
  return (
    <div className="s-faultpage" role="alert">
      <h2>{say(title)}</h2>
      <p>{say(text)}</p>
      {grantedBy !== '' && <p>{grantedBy}</p>}
      <code>{path}</code>
      {permits && near.length > 0 && <Near pages={near} />}
      <footer>
        {retry && (
          <button type="button" onClick={retry}>
            {say(['重试', 'Retry'])}
          </button>
        )}
        {why === 'chunk' && (
          <button type="button" onClick={() => location.reload()}>
            {titleIn(screen.reload, now)}
          </button>
        )}
        <button type="button" onClick={back}>
          {titleIn(screen.back, now)}
        </button>
        {permits ? (
          <a href={HOME}>{titleIn(screen.goHome, now)}</a>
        ) : (
          <a href="/">{titleIn(screen.login, now)}</a>
        )}
        <button type="button" disabled={reported} onClick={() => void report()}>
          {titleIn(screen.report, now)}
        </button>
      </footer>
    </div>
  )
}
