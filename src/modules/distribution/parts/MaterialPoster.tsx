import { Dialog, DialogBody } from '@blueprintjs/core'
import { useState } from 'react'
import type { Result } from '#src/contract/call.ts'
import { DialogEnd } from '#src/kit/dialog-end.tsx'
import { useReturnFocus } from '#src/kit/focus.ts'
import { imageUrl } from '#src/kit/image.tsx'
import { useSay } from '#src/kit/text.ts'
import type { materials } from '../contract/material.ts'
import './material.css'

export type TestedPoster = Result<typeof materials.testPoster>
/** The poster as buyers of one seller see it: the picture, with the seller’s code in its place. */
export const MaterialPoster = ({ of, close }: { of: TestedPoster; close: () => void }) => {
  const say = useSay()
  useReturnFocus()
  // The server may not know how large a picture is: the browser measures it.
  const [size, setSize] = useState({ width: of.width, height: of.height })
  const part = (of: number, whole: number | null) => `${(of * 100) / (whole ?? of)}%`
  const heading = say(['海报预览', 'Poster preview'])
  return (
    <Dialog isOpen title={heading} aria-label={heading} onClose={close} style={{ width: 420 }}>
      <DialogBody>
        <div className="d-poster">
          <img
            src={imageUrl(of.picture)}
            alt={of.title}
            onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
              setSize({ width, height })
            }
          />
          {size.width !== null && (
            <img
              className="d-poster-code"
              src={of.code}
              alt={say(['{name} 的推广码', 'Promotion code of {name}'], { name: of.seller })}
              style={{
                left: part(of.area.x, size.width),
                top: part(of.area.y, size.height),
                width: part(of.area.size, size.width),
              }}
            />
          )}
        </div>
        <p className="m-muted">
          {of.seller} · {say(['邀请码', 'Invite code'])} <code>{of.invite_code}</code>
        </p>
      </DialogBody>
      <DialogEnd shows close={close}>
        {null}
      </DialogEnd>
    </Dialog>
  )
}
