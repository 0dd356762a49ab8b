import { Button } from '@blueprintjs/core'
import { BanCircle as Ban, Clean, Offline, Refresh, WarningSign } from '@blueprintjs/icons'
import { useContext, type ReactNode } from 'react'
import type { CallError } from './data.ts'
import { Loading } from './loading.tsx'
import { useSay } from './text.ts'
import { WorkbenchContext, type Workbench } from './workbench.ts'

/** Nothing here: why, and what to do next. */
export const Empty = ({ title, children }: { title: ReactNode; children?: ReactNode }) => (
  <div className="m-state" role="status">
    <Clean />
    <h3>{title}</h3>
    {children}
  </div>
)
/** Names the people who can grant the right that a read needs. */
const Grantors = ({
  permit,
  of: { useGrantedBy },
}: {
  permit: string
  of: Pick<Workbench, 'useGrantedBy'>
}) => <p>{useGrantedBy(permit)}</p>
const failures = {
  denied: { icon: <Ban />, title: ['没有权限查看', 'You may not see this'] },
  lost: { icon: <Offline />, title: ['连接不上服务器', 'The server can’t be reached'] },
  other: { icon: <WarningSign />, title: ['加载失败', 'Could not be loaded'] },
} as const
const kindOf = ({ status, lost }: CallError): keyof typeof failures => {
  if (status === 403) return 'denied'
  return lost ? 'lost' : 'other'
}
/**
 * A read that failed: what happened, and the retry. No permission and a lost connection speak for
 * themselves.
 */
export const Failed = ({ error, retry }: { error: CallError; retry: () => void }) => {
  const say = useSay()
  const workbench = useContext(WorkbenchContext)
  const denied = kindOf(error) === 'denied'
  const { icon, title } = failures[kindOf(error)]
  return (
    <div className="m-state" role="alert">
      {icon}
      <h3>{say(title)}</h3>
      <p>{error.message}</p>
      {denied && error.permit && workbench && !workbench.me.can(error.permit) && (
        <Grantors permit={error.permit} of={workbench} />
      )}
      {!denied && <Button icon={<Refresh />} onClick={retry} text={say(['重试', 'Retry'])} />}
    </div>
  )
}
/** Stands where a read has no answer yet: its loading state of so many lines, or why it failed. */
export const Unanswered = ({
  of: { error, refetch },
  lines,
}: {
  of: { error?: CallError | undefined; refetch: () => void }
  lines: number
}) => (error ? <Failed error={error} retry={refetch} /> : <Loading lines={lines} />)
/**
 * What a read has answered, drawn by `children`; before that its loading state of so many lines, or
 * why it failed. `none` is said of a list without rows.
 */
export const Answer = <T,>({
  of: { data, ...read },
  lines = 3,
  none,
  children,
}: {
  of: { data?: T | undefined; error?: CallError | undefined; refetch: () => void }
  lines?: number
  none?: string
  children: (data: T) => ReactNode
}) => {
  if (data === undefined) return <Unanswered of={read} lines={lines} />
  const { list } = data as { list?: readonly unknown[] }
  return none !== undefined && list?.length === 0 ? (
    <p className="m-muted">{none}</p>
  ) : (
    children(data)
  )
}
// By itself where nothing else of these is needed: the stand-in of a page that is on its way comes
// with the sign-in page.
export { Loading } from './loading.tsx'
