package io.alrai.dn.rpc;

import io.alrai.dn.rpc.wire.Message;
import java.util.concurrent.CompletableFuture;

/** Runs what others ask of a member of a DN. */
final class MemberCalls {
  private MemberCalls() {}

  static CompletableFuture<? extends Message> answer(
      GroupMembership member, Message.MemberCall call) {
    return switch (call) {
      case Message.AskMember _ -> member.status().thenApply(Message.MemberIs::new);
      case Message.ChangeLeader m -> ParticipantCalls.done(member.changeLeader(m.to()));
      case Message.AddMember m ->
          member.add(m.member(), m.address(), m.keepsRows()).thenApply(Message.Held::new);
      case Message.DropMember m -> member.drop(m.member()).thenApply(Message.Held::new);
      case Message.OfferRows m -> member.offerRows().thenApply(Message.RowsOffered::new);
      case Message.Rebuild _ -> ParticipantCalls.done(member.rebuild());
      case Message.LookAround _ -> member.outlook().thenApply(Message.OutlookIs::new);
      case Message.EndRebuild _ -> ParticipantCalls.done(member.endRebuild());
    };
  }
}
