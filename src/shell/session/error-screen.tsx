import { useLocation, useSearch } from 'wouter'
import { HOME, tidy } from '../address.ts'
import { pageAt, spelled } from '../registry.ts'
import { Fault, type Why } from './fault.tsx'

const whys: readonly Why[] = ['missing', 'denied', 'chunk', 'crash']
/** The page `/error`: where unknown addresses end, once. */
export const ErrorScreen = () => {
  const search = new URLSearchParams(useSearch())
  const [, go] = useLocation()
  const path = tidy(search.get('path') ?? '/')
  const why = whys.find(one => one === search.get('why')) ?? 'missing'
  return (
    <main
      className="s-errorscreen"
      onClick={event => {
        const link = (event.target as Element).closest('a')
        if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        go(link.pathname + link.search)
      }}
    >
      <Fault
        why={why}
        path={path}
        back={() => (history.length > 2 ? history.back() : go(HOME))}
        {...(pageAt(spelled(path)) ? { retry: () => go(path, { replace: true }) } : {})}
      />
    </main>
  )
}
