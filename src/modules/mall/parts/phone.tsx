import type { ReactNode } from 'react'
import { Picture } from '#src/kit/image.tsx'
import { useSay } from '#src/kit/text.ts'
import './mall.css'

/** What shoppers would see: a phone's frame round some of its page. */
export const Phone = ({ title, children }: { title: string; children: ReactNode }) => {
  const say = useSay()
  return (
    <aside className="ml-phone" aria-label={say(['手机预览', 'Phone preview'])}>
      <div className="ml-screen">
        <header>{title}</header>
        <div className="ml-page">{children}</div>
      </div>
    </aside>
  )
}
/** A small picture, or its name's first letter where there is none. */
export const Thumb = ({ of, name }: { of: string; name: string }) => (
  <span className="ml-thumb" aria-hidden="true">
    {of ? <Picture of={of} label={name} /> : [...name][0]}
  </span>
)
