import { useState } from 'react'
import { useSay } from './text.ts'

/** The address of a stored picture: a key below the upload domain, or an address as it stands. */
export const imageUrl = (key: string): string =>
  /^(https?:)?\//.test(key) ? key : `/uploads/${key}`

/** A picture that says so when it can't be shown, and keeps its place either way. */
export const Picture = ({ of, label }: { of: string; label: string }) => {
  const say = useSay()
  const [lost, setLost] = useState(false)
  return lost ? (
    <span className="m-lost">{say(['无法显示', 'Not available'])}</span>
  ) : (
    <img
      src={imageUrl(of)}
      alt={label}
      loading="lazy"
      decoding="async"
      onError={() => setLost(true)}
    />
  )
}
