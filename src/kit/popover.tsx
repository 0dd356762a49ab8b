import { PopoverNext, type PopoverNextProps } from '@blueprintjs/core'
import {
  useEffect,
  useRef,
  useState,
  type ReactElement,
  type ReactNode,
  type RefObject,
} from 'react'
import { giveBack } from './focus.ts'
import { Raised } from './layers.ts'

type Props = {
  isOpen: boolean
  show: (next: boolean) => void
  placement: 'bottom-start' | 'bottom-end'
  content: ReactNode
  onOpening?: NonNullable<PopoverNextProps['onOpening']>
  children: ReactElement
}
type Came = { from: Element | null; body: HTMLElement | null }
/**
 * What opens at a button, also by a key that is pressed elsewhere. As soon as it closes, the focus
 * goes back to where it was. Blueprint's own way waits for the animation, then takes the focus from
 * wherever one has gone meanwhile, and gives it to a control of what is just going away.
 */
export const Popover = ({ isOpen, show, content, children, ...where }: Props) => {
  const came = useRef<Came | undefined>(undefined)
  // Opened again while it still goes away, it is another one: what is in it takes the focus as it
  // is drawn.
  const [turn, setTurn] = useState({ isOpen, n: 0 })
  if (turn.isOpen !== isOpen) setTurn({ isOpen, n: turn.n + Number(isOpen) })
  useEffect(() => {
    if (isOpen || !came.current) return
    giveBack(came.current.from, came.current.body)
    came.current = undefined
  }, [isOpen])
  return (
    <PopoverNext
      {...where}
      isOpen={isOpen}
      onInteraction={show}
      canEscapeKeyClose={false}
      // Blueprint would take it at the next picture, also for one that has closed by then.
      autoFocus={false}
      enforceFocus={isOpen}
      shouldReturnFocusOnClose={false}
      content={
        <Body key={turn.n} came={came} close={() => show(false)}>
          {content}
        </Body>
      }
    >
      {children}
    </PopoverNext>
  )
}
const Body = ({
  came,
  close,
  children,
}: {
  came: RefObject<Came | undefined>
  close: () => void
  children: ReactNode
}) => {
  // As it is first drawn, before anything in here takes the focus.
  const [from] = useState(() => document.activeElement)
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => {
    came.current = { from, body: body.current }
    // Where nothing in here took the focus, Blueprint would put it on a guard outside of it.
    if (!body.current?.contains(document.activeElement))
      body.current?.focus({ preventScroll: true })
  }, [came, from])
  return (
    <div
      ref={body}
      tabIndex={-1}
      className="m-popover"
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        close()
      }}
    >
      <Raised />
      {children}
    </div>
  )
}
