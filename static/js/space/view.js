/** The world in three dimensions; what draws it is loaded when it is first shown. */

export class SpaceView {
  constructor(host) {
    this.host = host;
  }

  show(_moment) {}
}
