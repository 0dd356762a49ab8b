-- Who claims a coupon, and what they have of it. A statement sees rows as they were when it began; this
-- looks at them anew, so that a claim that has waited for the coupon counts what others got meanwhile.
create function coupon_claimer(of_coupon int, of_member int, since bigint, standing boolean, newcomers boolean)
  returns table (account_state text, benefits_frozen boolean, level int, n int, today int, bought boolean)
  language plpgsql rows 1 as $$
begin
  return query
    select m.account_state::text, m.benefits_frozen, m.level, has.n, has.today,
      newcomers and exists (select 1 from "order" o where o.member_id = of_member and o.pay_state = 'paid')
    from member m, lateral (
      select count(*)::int n, count(*) filter (where g.created_at >= since)::int today
      from coupon_grant g
      where g.coupon_id = of_coupon and g.member_id = of_member
        -- A redemption that was undone took its piece back: its code may be redeemed again.
        and not (standing and g.status = 'revoked')) has
    where m.id = of_member;
end $$;
