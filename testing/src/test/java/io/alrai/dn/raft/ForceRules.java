package io.alrai.dn.raft;

/** The rules by which one member becomes the group; a test breaks one at a time. */
class ForceRules {
  /** Members of two generations do not know each other: no term passes between them. */
  boolean idsOfTheirOwn() {
    return true;
  }

  /** Terms of a generation are above all of the one before. */
  boolean termsAbove() {
    return true;
  }

  /** One decides who is the survivor of a generation. */
  boolean theCatalogDecides() {
    return true;
  }

  /** The survivor does not lead before every CN knows of it. */
  boolean waitsForCns() {
    return true;
  }

  /** Nor before every agent of another DN does: they ask for outcomes. */
  boolean waitsForAgents() {
    return true;
  }

  /** A CN that has not said that it knows holds this up, also when its lease has run out. */
  boolean leasesEndNoWait() {
    return true;
  }

  /** Who is said to have ended has. */
  boolean whoIsSaidToHaveEndedHas() {
    return true;
  }

  /** Who says that it knows of it believes nobody of before any more. */
  boolean saysWhatItFollows() {
    return true;
  }

  /** Who begins is known to the catalog before it believes anybody. */
  boolean registersFirst() {
    return true;
  }

  /** CNs believe no term below that of the catalog that they know. */
  boolean catalogsTermIsTheLeast() {
    return true;
  }
}
