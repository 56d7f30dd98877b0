package io.alrai.dn.role;

import io.alrai.dn.backend.PipelinedBranch;

/** The home of a connection that is closed after use. */
final class OneUse implements PipelinedBranch.Home {
  @Override
  public void returned(PipelinedBranch branch) {
    branch.close();
  }

  @Override
  public void lost(PipelinedBranch branch) {
    // nobody waits for it
  }
}
