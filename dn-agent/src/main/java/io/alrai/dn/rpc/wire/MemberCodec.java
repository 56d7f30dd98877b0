package io.alrai.dn.rpc.wire;

import io.alrai.dn.link.DonorLogin;
import io.alrai.dn.link.GroupOutlook;
import io.alrai.dn.link.MemberStatus;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/** What a member says of itself, as bytes; see {@link Envelope}. */
public final class MemberCodec {
  private MemberCodec() {}

  static void write(ByteBuf out, Message.MemberCall call) {
    switch (call) {
      case Message.AskMember _,
          Message.OfferRows _,
          Message.Rebuild _,
          Message.EndRebuild _,
          Message.LookAround _ -> {}
      case Message.ChangeLeader m -> MessageCodec.text(out, m.to());
      case Message.AddMember m -> {
        MessageCodec.text(out, m.member());
        MessageCodec.text(out, m.address());
        out.writeBoolean(m.keepsRows());
      }
      case Message.DropMember m -> MessageCodec.text(out, m.member());
    }
  }

  static void write(ByteBuf out, MemberStatus status) {
    MessageCodec.text(out, status.name());
    MessageCodec.text(out, status.state());
    out.writeByte(status.leads() ? 1 : 0).writeLong(status.term());
    out.writeLong(status.committed()).writeLong(status.unapplied());
    out.writeLong(status.lagMillis());
    MessageCodec.longText(out, status.error());
    MessageCodec.text(out, status.logAddress());
    out.writeByte(status.voters().size());
    for (MemberStatus.Voter voter : status.voters()) {
      MessageCodec.text(out, voter.name());
      out.writeByte(voter.keepsRows() ? 1 : 0).writeLong(voter.silentMillis());
    }
    MemberStatus.Cloning cloning = status.cloning();
    out.writeByte(cloning.asked() ? 1 : 0).writeInt(cloning.kept());
    MessageCodec.text(out, cloning.donor());
    out.writeLong(cloning.bytes()).writeLong(cloning.estimate());
  }

  static MemberStatus read(ByteBuf in) {
    return new MemberStatus(
        MessageCodec.text(in),
        MessageCodec.text(in),
        in.readBoolean(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        MessageCodec.longText(in),
        MessageCodec.text(in),
        voters(in),
        cloning(in));
  }

  private static MemberStatus.Cloning cloning(ByteBuf in) {
    return new MemberStatus.Cloning(
        in.readBoolean(), in.readInt(), MessageCodec.text(in), in.readLong(), in.readLong());
  }

  static void write(ByteBuf out, GroupOutlook outlook) {
    out.writeLong(outlook.generation()).writeLong(outlook.term()).writeLong(outlook.index());
    out.writeLong(outlook.writtenMillis()).writeByte(outlook.others().size());
    for (GroupOutlook.Other other : outlook.others()) {
      MessageCodec.text(out, other.name());
      out.writeBoolean(other.answers()).writeLong(other.term()).writeLong(other.index());
    }
  }

  static GroupOutlook outlook(ByteBuf in) {
    long generation = in.readLong();
    long term = in.readLong();
    long index = in.readLong();
    long written = in.readLong();
    int count = in.readUnsignedByte();
    List<GroupOutlook.Other> others = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      others.add(
          new GroupOutlook.Other(
              MessageCodec.text(in), in.readBoolean(), in.readLong(), in.readLong()));
    }
    return new GroupOutlook(generation, term, index, written, others);
  }

  static void write(ByteBuf out, DonorLogin login) {
    MessageCodec.text(out, login.user());
    MessageCodec.text(out, login.password());
  }

  static DonorLogin login(ByteBuf in) {
    return new DonorLogin(MessageCodec.text(in), MessageCodec.text(in));
  }

  private static List<MemberStatus.Voter> voters(ByteBuf in) {
    int count = in.readUnsignedByte();
    List<MemberStatus.Voter> voters = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      voters.add(new MemberStatus.Voter(MessageCodec.text(in), in.readBoolean(), in.readLong()));
    }
    return voters;
  }
}
